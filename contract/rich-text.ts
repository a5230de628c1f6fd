import Type from 'typebox'

/** The elements of rich text. Only `a` has an attribute, its `href`. */
export const richTags = [
  'p',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'strong',
  'em',
  'code',
  'pre',
  'blockquote',
  'br',
  'hr',
  'a',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const
export type RichTag = (typeof richTags)[number]

export interface RichElement {
  tag: RichTag
  /** The target of a link: an http, https or mailto URL, or a path or anchor of the site. */
  href?: string
  children: RichNode[]
}
/** A text or an element. */
export type RichNode = string | RichElement

/**
 * Text with links, lists and headings as a tree. Pages create elements from the tree and never parse it as HTML, so that no script in it can run.
 */
export const RichText = Type.Unsafe<RichNode[]>(
  Type.Array(
    Type.Cyclic(
      {
        Node: Type.Union([
          Type.String(),
          Type.Object({
            tag: Type.Union(richTags.map((tag) => Type.Literal(tag))),
            href: Type.Optional(Type.String({ pattern: '^(https?://|mailto:|/|#)' })),
            children: Type.Array(Type.Ref('Node')),
          }),
        ]),
      },
      'Node',
    ),
  ),
)
export type RichText = RichNode[]

const inlineTags: ReadonlySet<RichTag> = new Set(['strong', 'em', 'code', 'a'])

/** Returns the words of rich text, separated by single spaces. */
export function extractPlainText(nodes: readonly RichNode[]): string {
  const extractWords = (node: RichNode): string => {
    if (typeof node === 'string') return node
    const words = node.children.map(extractWords).join('')
    return inlineTags.has(node.tag) ? words : ` ${words} `
  }
  return nodes.map(extractWords).join('').replace(/\s+/g, ' ').trim()
}
