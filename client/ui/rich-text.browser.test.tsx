import fc from 'fast-check'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { richTags } from '../../contract/rich-text.ts'
import { allowedTags } from './rich-nodes.ts'
import { RichText } from './rich-text.tsx'

let unmountText = () => {}
afterEach(() => unmountText())

function showNodes(shownNodes: readonly unknown[]): HTMLElement {
  const container = document.body.appendChild(document.createElement('main'))
  const root = createRoot(container)
  flushSync(() => root.render(<RichText nodes={shownNodes} />))
  unmountText = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
  return container
}

const createLinkNode = (href: unknown) => ({ tag: 'p', children: [{ tag: 'a', href, children: ['a link'] }] })

it('rich text: all elements that the contract allows are rendered', async () => {
  expect([...allowedTags].sort()).toEqual([...richTags].sort())
  showNodes([
    { tag: 'h2', children: ['Origin'] },
    { tag: 'ul', children: [{ tag: 'li', children: ['one ', { tag: 'strong', children: ['two'] }] }] },
    createLinkNode('/faq#x'),
  ])
  await expect.element(page.getByRole('heading', { name: 'Origin' })).toBeVisible()
  await expect.element(page.getByRole('listitem')).toHaveTextContent('one two')
  await expect.element(page.getByRole('link', { name: 'a link' })).toHaveAttribute('href', '/faq#x')
})

it('rich text: links to other sites open in a new tab', async () => {
  showNodes([createLinkNode('https://example.com')])
  await expect.element(page.getByRole('link')).toHaveAttribute('rel', 'noopener noreferrer')
})

it.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//elsewhere.example',
  '/\\elsewhere.example',
  '/\t/elsewhere.example',
  'blob:x',
  undefined,
  { toString: () => 'javascript:alert(1)' },
])('rich text: %o is shown as words without a link', (href) => {
  const main = showNodes([createLinkNode(href)])
  expect(main.textContent).toBe('a link')
  expect(main.querySelector('a')).toBeNull()
})

it('rich text: if stored content was manipulated, only its words are shown', () => {
  let deepNode: unknown = 'deep'
  for (let depth = 0; depth < 5000; depth++) deepNode = { tag: 'em', children: [deepNode] }
  const mainElement = showNodes([
    { tag: 'script', children: ['alert(1)'] },
    { tag: 'IMG', onerror: 'alert(1)', src: 'x', children: [] },
    { tag: 'p', onClick: 'alert(1)', style: { color: 'red' }, dangerouslySetInnerHTML: { __html: '<b>x</b>' }, children: ['words'] },
    { tag: 'br', children: ['in a void element'] },
    { tag: 'p', children: 'no list' },
    { tag: 'constructor', children: [null, 7, {}] },
    null,
    '<img src=x onerror=alert(1)>',
    deepNode,
  ])
  expect(mainElement.querySelector('script, img, [onclick], [onerror], [style], b')).toBeNull()
  expect(mainElement).toHaveTextContent('words')
  expect(mainElement.textContent).toContain('<img src=x onerror=alert(1)>')
})

it('rich text: table rows without a body are put into a body, and texts outside of cells into cells', () => {
  const tableCell = { tag: 'td', children: ['cell'] }
  showNodes([{ tag: 'table', children: ['words', { tag: 'tr', children: [tableCell, ' '] }, { tag: 'p', children: ['paragraph'] }] }])
  expect(page.getByRole('row').elements()).toHaveLength(3)
  expect(
    page
      .getByRole('cell')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(['words', 'cell', 'paragraph'])
})

const { tree: anyNode } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom('one', 'two ', ' '),
    fc.record({ tag: fc.constantFrom(...richTags), href: fc.constant('/faq'), children: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
}))

it('rich text: the browser parses its HTML into the same elements, so that React can hydrate them', () => {
  fc.assert(
    fc.property(fc.array(anyNode, { maxLength: 4 }), (nodes) => {
      const { innerHTML } = showNodes(nodes)
      unmountText()
      unmountText = () => {}
      expect(new DOMParser().parseFromString(innerHTML, 'text/html').body.innerHTML).toBe(innerHTML)
    }),
    { numRuns: 300 },
  )
})
