import { parseDocument } from 'htmlparser2'
import { LINK_MAX_LENGTH } from '../../contract/link-rules.ts'
import { type RichNode, type RichTag, type RichText, richTags } from '../../contract/rich-text.ts'
import { sanitiseHtml } from './html.ts'

const TAG_SYNONYMS: Readonly<Record<string, RichTag>> = { h1: 'h2', h5: 'h4', h6: 'h4', b: 'strong', i: 'em' }
const isRichTag = (tag: string): tag is RichTag => richTags.some((each) => each === tag)

type ParsedNode = ReturnType<typeof parseDocument>['children'][number]

/**
 * Returns HTML as a tree. Elements that rich text does not have are replaced by their content, scripts and styles are left out, and links to anything
 * but the web, mail and this site lose their target.
 */
export function htmlToRichText(html: string): RichText {
  return joinTexts(parseDocument(sanitiseHtml(html)).children.flatMap(nodesOf))
}

function nodesOf(node: ParsedNode): RichNode[] {
  if (node.type === 'text') return [node.data]
  if (!('children' in node)) return []
  const children = node.children.flatMap(nodesOf)
  const name = 'name' in node ? node.name : ''
  const tag = TAG_SYNONYMS[name] ?? name
  if (!isRichTag(tag)) return children
  const href = tag === 'a' && 'attribs' in node ? safeLink(node.attribs.href) : undefined
  // A link without a valid target is replaced by its content.
  if (tag === 'a' && href === undefined) return children
  return [{ tag, ...(href === undefined ? {} : { href }), children: joinTexts(children) }]
}

/** Returns a link to the web, a mail address, or a path or anchor of this site; undefined for anything else. */
function safeLink(href: string | undefined): string | undefined {
  if (href === undefined || href.length > LINK_MAX_LENGTH) return undefined
  const target = href.trim()
  if (/^https?:\/\//i.test(target)) return URL.canParse(target) ? new URL(target).href : undefined
  if (/^mailto:[^\s]+$/i.test(target)) return `mailto:${target.slice('mailto:'.length)}`
  return /^(?:\/(?![/\\])|#)[^\s\\]*$/.test(target) ? target : undefined
}

/** Joins adjacent texts into one. */
function joinTexts(nodes: readonly RichNode[]): RichNode[] {
  const joinedNodes: RichNode[] = []
  for (const node of nodes) {
    const last = joinedNodes.at(-1)
    if (typeof node === 'string' && typeof last === 'string') joinedNodes[joinedNodes.length - 1] = last + node
    else if (node !== '') joinedNodes.push(node)
  }
  return joinedNodes
}
