const JSON_ESCAPES: Record<string, string> = { '<': '\\u003c', '\u2028': '\\u2028', '\u2029': '\\u2029' }

/** Serializes a value as JSON that is safe inside a `<script>` element. */
export const serializeJson = (value: unknown) =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => JSON_ESCAPES[character] ?? '')

/** Shortens a text to one line of at most `maxLength` characters plus an ellipsis, cut between words if possible. */
export function truncateText(fullText: string, maxLength = 200): string {
  const singleLine = fullText.replace(/\s+/g, ' ').trim()
  if (singleLine.length <= maxLength) return singleLine
  const cutText = singleLine.slice(0, maxLength)
  return `${cutText.slice(0, Math.max(cutText.lastIndexOf(' '), maxLength - 40)).trimEnd()}…`
}
