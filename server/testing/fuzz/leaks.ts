/** What a program says when it fails, or stores and never shows: parts of stacks, SQL, paths and password hashes. */
const INTERNALS = [
  /\n\s+at \S+ \(?(?:file:|node:|\/)/,
  /node_modules|node:internal/,
  /Sqlite(?:Error|3)|SQLITE_[A-Z]+|kysely|near "[^"]*": syntax error|syntax error at or near/,
  /\bselect .{1,80} from "?\w+|\binsert into "?\w+"? \(/i,
  /\$argon2/,
  /-----BEGIN/,
]

/** Returns what a text discloses that it may not; undefined if there is nothing. @param secrets texts that must not be in it, by name */
export function findLeak(text: string, secrets: ReadonlyMap<string, string>): string | undefined {
  const internal = INTERNALS.map((pattern) => pattern.exec(text)?.[0]).find((each) => each !== undefined)
  if (internal !== undefined) return `the text '${internal.trim().slice(0, 80)}'`
  for (const [name, secret] of secrets) if (secret !== '' && text.includes(secret)) return name
  return undefined
}
