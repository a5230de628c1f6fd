import { createElement, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { type SafeNode, toSafeNodes } from './rich-nodes.ts'
import styles from './rich-text.module.css'
import { createLinkAttributes } from './safe-href.ts'

function renderNode(node: SafeNode, reactKey: number): ReactNode {
  if (typeof node === 'string') return node
  const { tag, href } = node
  const children = node.children.map(renderNode)
  if (href !== undefined)
    return (
      <a key={reactKey} {...createLinkAttributes(href)}>
        {children}
      </a>
    )
  if (tag === 'table')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      <section key={reactKey} className={styles.scroller} aria-label="Table" tabIndex={0}>
        {createElement('table', {}, children)}
      </section>
    )
  return createElement(tag, { key: reactKey }, ...(children.length > 0 ? [children] : []))
}

interface RichTextProps {
  /**
   * Texts and elements as in `contract/rich-text.ts`. They are checked here, because people and browser extensions can change stored rows.
   */
  nodes: readonly unknown[]
  className?: string
}

/**
 * Renders rich text as React elements, never as markup. Elements and attributes that rich text does not allow, and unsafe links, are left
 * out.
 */
export function RichText({ nodes, className }: RichTextProps) {
  return <div className={classNames(styles.text, className)}>{toSafeNodes(nodes).map(renderNode)}</div>
}
