import { createElement, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './rich-text.module.css'
import { linkAttributes, safeHref } from './safe-href.ts'

/** The elements that rich text may contain. */
export const allowedTags: ReadonlySet<string> = new Set([
  ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'blockquote'],
  ...['br', 'hr', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
])
const voidTags: ReadonlySet<string> = new Set(['br', 'hr'])
/** Deeper elements are left out, so that no text overflows the stack. */
const DEPTH_MAX = 24

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function renderNode(node: unknown, key: number, depth: number): ReactNode {
  if (typeof node === 'string') return node
  if (!isRecord(node) || typeof node.tag !== 'string' || depth > DEPTH_MAX) return null
  const children = renderNodes(node.children, depth + 1)
  // The words of an unknown element stay readable.
  if (!allowedTags.has(node.tag)) return children
  if (voidTags.has(node.tag)) return createElement(node.tag, { key })
  if (node.tag === 'table')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      <section key={key} className={styles.scroller} aria-label="Table" tabIndex={0}>
        {createElement('table', {}, children)}
      </section>
    )
  if (node.tag !== 'a') return createElement(node.tag, { key }, children)
  const href = safeHref(node.href)
  if (href === undefined) return children
  return (
    <a key={key} {...linkAttributes(href)}>
      {children}
    </a>
  )
}

const renderNodes = (nodes: unknown, depth: number): ReactNode[] =>
  Array.isArray(nodes) ? nodes.map((node, index) => renderNode(node, index, depth)) : []

interface RichTextProps {
  /** Texts and elements as in `contract/rich-text.ts`. They are checked here, because stored rows can be changed by anybody. */
  nodes: readonly unknown[]
  className?: string
}

/** Shows rich text as elements, never as markup: other elements than `allowedTags`, other attributes, and other links are left out. */
export function RichText({ nodes, className }: RichTextProps) {
  return <div className={classNames(styles.text, className)}>{renderNodes(nodes, 0)}</div>
}
