import { createElement, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './rich-text.module.css'

/** The elements that rich text may contain. */
export const allowedTags: ReadonlySet<string> = new Set([
  ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'code', 'pre', 'blockquote'],
  ...['br', 'hr', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
])
const voidTags: ReadonlySet<string> = new Set(['br', 'hr'])
/** Deeper elements are left out, so that no text overflows the stack. */
const DEPTH_MAX = 24

// A second slash, or what browsers read as one, would begin the host name of another site.
const SAFE_HREF = /^(?:https?:\/\/|mailto:|#|\/(?![/\\\s]))/i
const AWAY_HREF = /^https?:/i

/** Returns `href` if it is http, https, mailto, or a path or anchor of the site. */
const safeHref = (href: unknown): string | undefined => (typeof href === 'string' && SAFE_HREF.test(href) ? href : undefined)

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
    <a key={key} href={href} {...(AWAY_HREF.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}>
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
