/** The events of a session, in order. */
export type SessionEvent = Utterance | LoggedCommand | FileEdit | OtherCall;

/** One message. */
export type Utterance = { kind: "said"; by: "user" | "agent"; text: string };

/** A command that ran to its end in the foreground. */
export type LoggedCommand = { kind: "ran"; command: string; status: number; output: string };

/** An edit of a file of the project. A new file has nothing before. */
export type FileEdit = { kind: "changed"; path: string; before: string; after: string };

/** A call of another tool that may have changed something: a subagent, a server. */
type OtherCall = { kind: "called"; tool: string };
