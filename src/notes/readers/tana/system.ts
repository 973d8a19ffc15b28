import type { FieldType } from "../../../note.ts";

/** Ids with the same meaning in every Tana workspace. */

export const tagLabel = "SYS_A13";
/** Beside `tagLabel`: the tagged doc is itself a supertag (its parents follow), or a field. */
export const supertagMarker = "SYS_T01";
export const fieldMarker = "SYS_T02";
export const typeMarker = "SYS_T06";
export const mediaLabel = "SYS_T15";
export const codeLanguageLabel = "SYS_A70";
export const journalDateLabel = "SYS_A169";

/** Fields that Tana itself adds to notes, some of them in the metanode. Other labels are settings, and not shown. */
export const systemFields = new Map<string, { name: string; type?: FieldType }>([
  ["SYS_A58", { name: "Name" }],
  ["SYS_A60", { name: "Email", type: "email" }],
  ["SYS_A61", { name: "Due date", type: "date" }],
  ["SYS_A78", { name: "URL", type: "url" }],
  ["SYS_A90", { name: "Date", type: "date" }],
  ["SYS_A130", { name: "Entity type" }],
  ["SYS_A142", { name: "Attendees", type: "reference" }],
  ["SYS_A150", { name: "Speaker" }],
  ["SYS_A199", { name: "Transcript", type: "reference" }],
  ["SYS_A209", { name: "Assigned to", type: "user" }],
  ["SYS_A252", { name: "Speaker" }],
  ["SYS_A253", { name: "Start time" }],
  ["SYS_A254", { name: "End time" }],
]);

/** Supertags that come with Tana. */
export const systemTags = new Map<string, string>([
  ["SYS_T98", "meeting"],
  ["SYS_T99", "person"],
  ["SYS_T100", "task"],
  ["SYS_T101", "organization"],
  ["SYS_T102", "location"],
  ["SYS_T103", "event"],
  ["SYS_T104", "project"],
  ["SYS_T105", "topic"],
  ["SYS_T117", "article"],
  ["SYS_T118", "memo"],
  ["SYS_T119", "reflection"],
  ["SYS_T124", "day"],
  ["SYS_T125", "week"],
  ["SYS_T126", "year"],
]);

/** Values of checkboxes. */
export const systemValues = new Map([
  ["SYS_V03", "Yes"],
  ["SYS_V04", "No"],
]);

/** Data types of field definitions. */
export const systemTypes = new Map<string, FieldType>([
  ["SYS_D01", "checkbox"],
  ["SYS_D02", "number"],
  ["SYS_D03", "date"],
  ["SYS_D05", "reference"],
  ["SYS_D06", "text"],
  ["SYS_D08", "number"],
  ["SYS_D09", "user"],
  ["SYS_D10", "url"],
  ["SYS_D11", "email"],
  ["SYS_D12", "options"],
  ["SYS_D13", "user"],
]);

/**
 * Parts of a workspace: their ids are the workspace's id and one of these. Docs in a `content` part are top-level
 * notes; docs in the others are no notes. An unlisted part counts as content, so that nothing a user wrote is lost.
 */
export const parts = new Map<string, "content" | "system" | "trash">([
  ["STASH", "content"],
  ["CAPTURE_INBOX", "content"],
  ["QUICK_ADD", "content"],
  ["SEARCHES", "content"],
  ["USERS", "content"],
  ["SCHEMA", "system"],
  ["WORKSPACE", "system"],
  ["SIDEBAR_AREAS", "system"],
  ["MOVETO", "system"],
  ["AVATAR", "system"],
  ["CHATDRAFTS", "system"],
  ["TRASH", "trash"],
]);
