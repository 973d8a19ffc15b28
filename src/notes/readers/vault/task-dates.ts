import { addField, type VaultFields } from "./fields.ts";

/** How Obsidian's Tasks plugin marks the dates of a task, and the fields that Dataview takes them for. */
const names: Record<string, string> = {
  "📅": "due",
  "📆": "due",
  "🗓": "due",
  "✅": "completion",
  "❌": "cancelled",
  "➕": "created",
  "🛫": "start",
  "⏳": "scheduled",
};
const date = new RegExp(`\\s*(${Object.keys(names).join("|")})\\ufe0f?\\s*(\\d{4}-\\d{2}-\\d{2})(?!\\d)`, "gu");

/** The text of a task without its dates, which become fields. */
export function takeDates(text: string, fields: VaultFields): string {
  return text.replace(date, (_, mark: string, day: string) => {
    addField(fields, names[mark]!, { values: [{ text: day }], type: "date" });
    return "";
  });
}
