import type { SessionOwner } from "./connections.ts";
import type { Queries } from "./session.ts";

/** The numbers of a workspace's owners, each looked up once: a number never changes. */
export class OwnerNumbers {
  readonly #shared: Queries;
  readonly #workspace: string;
  readonly #numbers = new Map<string, number>();

  constructor(shared: Queries, workspace: string) {
    this.#shared = shared;
    this.#workspace = workspace;
  }

  /** Undefined for an owner who never wrote. */
  async find(name: string): Promise<number | undefined> {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const sql = "SELECT id FROM owners WHERE workspace = $1 AND name = $2";
    const row = await this.#shared.get<{ id: number }>(sql, [this.#workspace, name]);
    if (row) this.#numbers.set(name, row.id);
    return row?.id;
  }

  async create(name: string): Promise<number> {
    const sql = "INSERT INTO owners(workspace, name) VALUES($1, $2) ON CONFLICT DO NOTHING";
    await this.#shared.run(sql, [this.#workspace, name]);
    return (await this.find(name))!;
  }

  *known(): Generator<SessionOwner> {
    for (const [name, number] of this.#numbers) yield { name, number };
  }
}
