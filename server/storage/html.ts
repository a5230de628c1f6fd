import sanitizeHtml from 'sanitize-html'

/**
 * `html` without anything that runs, loads or restyles: text, headings, lists, tables and links stay. What is stored has
 * been through here; whoever shows it does not trust it all the same.
 */
export function sanitiseHtml(html: string): string {
  return sanitizeHtml(html, {
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
  })
}
