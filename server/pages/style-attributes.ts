const ENTITIES: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>' }
const UNSAFE = /[<>{}\\]|\/\*/

/**
 * Moves the style attributes of rendered markup into a style sheet: the page's policy refuses attributes, as it cannot tell
 * them by a hash. An id's selector wins over those of classes, and what the program sets later wins over both.
 */
export function liftStyles(markup: string): { markup: string; css: string } {
  const names = new Map<string, string>()
  const lifted = markup.replace(/(<[a-z][^<>]*?) style="([^"]*)"/g, (_whole, start: string, escaped: string) => {
    const style = escaped.replace(/&(?:amp|quot|lt|gt|#x27);/g, (entity) => ENTITIES[entity] ?? entity)
    if (UNSAFE.test(style)) return start
    const name = names.get(style) ?? names.size.toString(36)
    names.set(style, name)
    return `${start} data-style="${name}"`
  })
  return { markup: lifted, css: [...names].map(([style, name]) => `#root [data-style="${name}"]{${style}}`).join('') }
}
