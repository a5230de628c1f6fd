const ENTITY_CHARACTERS: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>' }
const UNSAFE_CSS_PATTERN = /[<>{}\\]|\/\*/

/**
 * Moves the style attributes of rendered markup into a style sheet, because the page's Content Security Policy allows inline style sheets
 * by hash, but no style attributes. The id selector overrides class rules; styles that the program sets later override both.
 */
export function extractStyleAttributes(pageMarkup: string): { markup: string; css: string } {
  const idByStyleText = new Map<string, string>()
  const replacedMarkup = pageMarkup.replace(/(<[a-z][^<>]*?) style="([^"]*)"/g, (_match, tagStart: string, escapedStyle: string) => {
    const styleText = escapedStyle.replace(/&(?:amp|quot|lt|gt|#x27);/g, (entity) => ENTITY_CHARACTERS[entity] ?? entity)
    if (UNSAFE_CSS_PATTERN.test(styleText)) return tagStart
    const name = idByStyleText.get(styleText) ?? idByStyleText.size.toString(36)
    idByStyleText.set(styleText, name)
    return `${tagStart} data-style="${name}"`
  })
  return { markup: replacedMarkup, css: [...idByStyleText].map(([style, name]) => `#root [data-style="${name}"]{${style}}`).join('') }
}
