import { Parser } from 'htmlparser2'

/** Elements of HTML that have no end tag. */
const VOID_ELEMENTS = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])

/**
 * Describes the first fault in the nesting of a document's tags: each element of HTML or XML must be closed where it ends. Returns
 * `undefined` if there is no fault.
 */
export function findMarkupProblem(document: string, kind: 'html' | 'xml'): string | undefined {
  const open: string[] = []
  let problem: string | undefined
  const parser = new Parser(
    {
      onopentagname: (name) => open.push(name),
      onclosetag(name, isImplied) {
        if (open.pop() !== name) problem ??= `</${name}> closes no element`
        if (isImplied && !(kind === 'html' && VOID_ELEMENTS.has(name)) && !isSelfClosed()) problem ??= `<${name}> is not closed`
      },
    },
    { xmlMode: kind === 'xml', recognizeSelfClosing: true },
  )
  const isSelfClosed = () => document[parser.endIndex - 1] === '/'
  parser.write(document)
  parser.end()
  if (kind === 'xml' && /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(document.replace(/<!\[CDATA\[.*?\]\]>/gs, '')))
    problem ??= 'an & is not escaped'
  if (kind === 'xml' && /[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/u.test(document)) problem ??= 'a character that XML does not allow'
  return problem
}
