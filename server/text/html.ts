import sanitizeHtml from 'sanitize-html'

/** The maximum nesting depth of elements. More deeply nested elements are replaced by their text. */
const MAX_NESTING_DEPTH = 40

/** Removes scripts, styles, embedded media and event handlers from HTML. Text, headings, lists, tables and links remain. Called before HTML is stored. */
export function sanitiseHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedAttributes: { a: ['href', 'rel'] },
    nestingLimit: MAX_NESTING_DEPTH,
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  })
}
