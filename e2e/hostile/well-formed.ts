import { Parser } from 'htmlparser2'

/** Elements of HTML that have no end tag. */
const VOID_ELEMENTS = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])

/**
 * Describes the first fault in the nesting of a document's tags: each element of HTML or XML must be closed where it ends. Returns
 * `undefined` if there is no fault.
 */
export function findMarkupProblem(markupText: string, markupKind: 'html' | 'xml'): string | undefined {
  const openElements: string[] = []
  let markupProblem: string | undefined
  const markupParser = new Parser(
    {
      onopentagname: (name) => openElements.push(name),
      onclosetag(tagName, isImplied) {
        if (openElements.pop() !== tagName) markupProblem ??= `</${tagName}> closes no element`
        if (isImplied && !(markupKind === 'html' && VOID_ELEMENTS.has(tagName)) && !isSelfClosed())
          markupProblem ??= `<${tagName}> is not closed`
      },
    },
    { xmlMode: markupKind === 'xml', recognizeSelfClosing: true },
  )
  const isSelfClosed = () => markupText[markupParser.endIndex - 1] === '/'
  markupParser.write(markupText)
  markupParser.end()
  if (markupKind === 'xml' && /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(markupText.replace(/<!\[CDATA\[.*?\]\]>/gs, '')))
    markupProblem ??= 'an & is not escaped'
  if (markupKind === 'xml' && /[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/u.test(markupText))
    markupProblem ??= 'a character that XML does not allow'
  return markupProblem
}
