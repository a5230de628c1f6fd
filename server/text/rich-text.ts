import { parseDocument } from 'htmlparser2'
import { LINK_MAX_LENGTH } from '../../contract/link-rules.ts'
import { type RichNode, type RichTag, type RichText, richTags } from '../../contract/rich-text.ts'
import { sanitiseHtml } from './html.ts'

const TAG_SYNONYMS: Readonly<Record<string, RichTag>> = { h1: 'h2', h5: 'h4', h6: 'h4', b: 'strong', i: 'em' }
const isRichTag = (tag: string): tag is RichTag => richTags.some((each) => each === tag)

type ParsedNode = ReturnType<typeof parseDocument>['children'][number]

/**
 * Returns HTML as a tree. Elements that rich text does not have are replaced by their content, scripts and styles are left out, and links to anything
 * but the web, mail and this site are replaced by their content as well.
 */
export function convertToRichText(html: string): RichText {
  return joinTexts(parseDocument(sanitiseHtml(html)).children.flatMap(toRichNodes))
}

function toRichNodes(node: ParsedNode): RichNode[] {
  if (node.type === 'text') return [node.data]
  if (!('children' in node)) return []
  const childNodes = node.children.flatMap(toRichNodes)
  const elementName = 'name' in node ? node.name : ''
  const tagName = TAG_SYNONYMS[elementName] ?? elementName
  if (!isRichTag(tagName)) return childNodes
  const linkHref = tagName === 'a' && 'attribs' in node ? toSafeLink(node.attribs.href) : undefined
  // A link without a valid target is replaced by its content.
  if (tagName === 'a' && linkHref === undefined) return childNodes
  return [{ tag: tagName, ...(linkHref === undefined ? {} : { href: linkHref }), children: joinTexts(childNodes) }]
}

/** Returns a link to the web, a mail address, or a path or anchor of this site; undefined for anything else. */
function toSafeLink(linkHref: string | undefined): string | undefined {
  if (linkHref === undefined || linkHref.length > LINK_MAX_LENGTH) return undefined
  const linkTarget = linkHref.trim()
  if (/^https?:\/\//i.test(linkTarget)) return URL.canParse(linkTarget) ? new URL(linkTarget).href : undefined
  if (/^mailto:[^\s]+$/i.test(linkTarget)) return `mailto:${linkTarget.slice('mailto:'.length)}`
  return /^(?:\/(?![/\\])|#)[^\s\\]*$/.test(linkTarget) ? linkTarget : undefined
}

/** Joins adjacent texts into one. */
function joinTexts(nodes: readonly RichNode[]): RichNode[] {
  const joinedNodes: RichNode[] = []
  for (const richNode of nodes) {
    const last = joinedNodes.at(-1)
    if (typeof richNode === 'string' && typeof last === 'string') joinedNodes[joinedNodes.length - 1] = last + richNode
    else if (richNode !== '') joinedNodes.push(richNode)
  }
  return joinedNodes
}
