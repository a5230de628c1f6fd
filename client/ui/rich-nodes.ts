import { toSafeHref } from './safe-href.ts'

/** A text or an element of rich text that can be rendered. */
export type SafeNode = string | { tag: string; href: string | undefined; children: SafeNode[] }

/** The elements that rich text may contain. */
export const allowedTags: ReadonlySet<string> = new Set([
  ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'blockquote'],
  ...['br', 'hr', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
])
const voidTags: ReadonlySet<string> = new Set(['br', 'hr'])
/** Elements that implicitly close an open `<p>` element when the HTML parser meets them. */
const blockTags: ReadonlySet<string> = new Set(['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'pre', 'blockquote', 'hr', 'table'])
const headingTags: readonly string[] = ['h2', 'h3', 'h4']
/** The permitted parents of elements that the HTML parser would move or ignore inside any other parent. */
const permittedParentsByTag: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  thead: ['table'],
  tbody: ['table'],
  tr: ['table', 'thead', 'tbody'],
  th: ['tr'],
  td: ['tr'],
}
/** For each table element, the permitted children, and the element that wraps any other child. */
const tableRules: Readonly<Record<string, { children: readonly string[]; wrapper: string }>> = {
  table: { children: ['thead', 'tbody'], wrapper: 'tbody' },
  thead: { children: ['tr'], wrapper: 'tr' },
  tbody: { children: ['tr'], wrapper: 'tr' },
  tr: { children: ['th', 'td'], wrapper: 'td' },
}
/** The maximum depth of elements. Deeper elements are left out, so that manipulated content cannot overflow the call stack. */
const NESTING_DEPTH_MAX = 24

const isRecordObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether the HTML parser leaves an element with this tag in place inside `ancestorTags`; the last ancestor is the parent. */
function isAllowedIn(tagName: string, ancestorTags: readonly string[]): boolean {
  const parentTags = permittedParentsByTag[tagName]
  if (parentTags) return parentTags.includes(ancestorTags.at(-1) ?? '')
  if (tagName === 'a') return !ancestorTags.includes('a')
  if (headingTags.includes(tagName) && headingTags.some((each) => ancestorTags.includes(each))) return false
  return !(blockTags.has(tagName) && ancestorTags.includes('p'))
}

/**
 * Returns the children of a table element. A child that is not permitted there is wrapped in the element that the HTML parser would add.
 */
function completeTable(tagName: string, children: readonly SafeNode[]): SafeNode[] {
  const tableRule = Object.hasOwn(tableRules, tagName) ? tableRules[tagName] : undefined
  if (!tableRule) return [...children]
  const completedChildren: SafeNode[] = []
  let otherChildren: SafeNode[] = []
  const wrapOtherChildren = () => {
    const { wrapper } = tableRule
    if (otherChildren.some((node) => typeof node !== 'string' || node.trim() !== ''))
      completedChildren.push({ tag: wrapper, href: undefined, children: completeTable(wrapper, otherChildren) })
    otherChildren = []
  }
  for (const childNode of children) {
    if (typeof childNode === 'string' || !tableRule.children.includes(childNode.tag)) otherChildren.push(childNode)
    else {
      wrapOtherChildren()
      completedChildren.push(childNode)
    }
  }
  wrapOtherChildren()
  return completedChildren
}

/**
 * Returns a copy of `rawNodes` with only the elements of `allowedTags`, only safe links, and only elements that the HTML parser leaves in
 * place, because React cannot hydrate HTML that was parsed into other elements. Any other element is replaced by its children.
 * @param rawNodes texts and elements as in `contract/rich-text.ts`, or anything else
 */
export function toSafeNodes(rawNodes: unknown, ancestorTags: readonly string[] = [], depth = 0): SafeNode[] {
  if (!Array.isArray(rawNodes)) return []
  return rawNodes.flatMap((rawNode: unknown): SafeNode[] => {
    if (typeof rawNode === 'string') return [rawNode]
    if (!isRecordObject(rawNode) || typeof rawNode.tag !== 'string' || depth > NESTING_DEPTH_MAX) return []
    const { tag } = rawNode
    const safeUrl = tag === 'a' ? toSafeHref(rawNode.href) : undefined
    if (!allowedTags.has(tag) || !isAllowedIn(tag, ancestorTags) || (tag === 'a' && safeUrl === undefined))
      return toSafeNodes(rawNode.children, ancestorTags, depth + 1)
    const children = voidTags.has(tag) ? [] : toSafeNodes(rawNode.children, [...ancestorTags, tag], depth + 1)
    return [{ tag, href: safeUrl, children: completeTable(tag, children) }]
  })
}
