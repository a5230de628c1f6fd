/** Patterns of internal information: parts of stacks, SQL, paths and password hashes. */
const INTERNAL_PATTERNS = [
  /\n\s+at \S+ \(?(?:file:|node:|\/)/,
  /node_modules|node:internal/,
  /Sqlite(?:Error|3)|SQLITE_[A-Z]+|kysely|near "[^"]*": syntax error|syntax error at or near/,
  /\bselect .{1,80} from "?\w+|\binsert into "?\w+"? \(/i,
  /\$argon2/,
  /-----BEGIN/,
]

/**
 * Returns the forbidden information that a text discloses, or undefined if it discloses none. @param secretNames texts that must not be in it,
 * by name
 */
export function findLeak(checkedText: string, secretNames: ReadonlyMap<string, string>): string | undefined {
  const internalText = INTERNAL_PATTERNS.map((pattern) => pattern.exec(checkedText)?.[0]).find((each) => each !== undefined)
  if (internalText !== undefined) return `the text '${internalText.trim().slice(0, 80)}'`
  for (const [name, secret] of secretNames) if (secret !== '' && checkedText.includes(secret)) return name
  return undefined
}
