import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect, it, test } from 'vitest'
import { extractPlainText, type RichNode, RichText } from '../../contract/rich-text.ts'
import { convertToRichText } from './rich-text.ts'

const richTextCheck = Compile(RichText)

it('paragraphs, lists, headings, tables and links are preserved, in order', () => {
  expect(convertToRichText('<h1>A</h1><p>one <b>two</b> <i>three</i><br>four</p><ul><li><a href="/faq">five</a></li></ul>')).toEqual([
    { tag: 'h2', children: ['A'] },
    {
      tag: 'p',
      children: [
        'one ',
        { tag: 'strong', children: ['two'] },
        ' ',
        { tag: 'em', children: ['three'] },
        { tag: 'br', children: [] },
        'four',
      ],
    },
    { tag: 'ul', children: [{ tag: 'li', children: [{ tag: 'a', href: '/faq', children: ['five'] }] }] },
  ])
  expect(convertToRichText('<table><tr><td>1</td></tr></table>')).toEqual([
    { tag: 'table', children: [{ tag: 'tr', children: [{ tag: 'td', children: ['1'] }] }] },
  ])
})

it('other elements are replaced by their content, and entities are decoded once', () => {
  expect(convertToRichText('<div>a <span style="color:red">b</span></div>&amp;lt;p&amp;gt; &lt;script&gt;')).toEqual([
    'a b&lt;p&gt; <script>',
  ])
})

test.each([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
  'https://',
  '',
  `https://example.org/${'x'.repeat(2000)}`,
])('a link to %j is replaced by its text', (href) => {
  expect(convertToRichText(`<a href="${href}">x</a>`)).toEqual(['x'])
})

test.each(['https://example.org/?a=1&b=2', 'mailto:a@example.org', '/get-in-touch?topic=other', '#top'])(
  'a link to %j keeps its address',
  (href) => {
    expect(convertToRichText(`<a href="${href.replace('&', '&amp;')}" onclick="x()">x</a>`)).toEqual([{ tag: 'a', href, children: ['x'] }])
  },
)

it('whatever the HTML is, the tree contains only allowed elements, and no script', () => {
  const anyTag = fc.constantFrom(
    'p',
    'a',
    'script',
    'style',
    'svg',
    'math',
    'iframe',
    'img',
    'template',
    'noscript',
    'textarea',
    'title',
    'b',
    'ul',
    'li',
  )
  const anyAttribute = fc.constantFrom('', ' href="javascript:x()"', ' onclick=x()', ' src=x onerror=x()', ' style="a:b"', ' href=/a')
  const anyHtmlPiece = fc.oneof(
    fc.tuple(anyTag, anyAttribute).map(([name, text]) => `<${name}${text}>`),
    anyTag.map((name) => `</${name}>`),
    fc.constantFrom('<!--', '-->', '<![CDATA[', ']]>', '<', '>', '"', 'alert(1)', '&lt;', '&#x3c;'),
    fc.string({ maxLength: 8 }),
  )
  fc.assert(
    fc.property(fc.array(anyHtmlPiece, { maxLength: 30 }), (htmlPieces) => {
      const richNodes = convertToRichText(htmlPieces.join(''))
      expect(richTextCheck.Check(richNodes)).toBe(true)
      const listHrefs = (node: RichNode): string[] =>
        typeof node === 'string' ? [] : [...(node.href === undefined ? [] : [node.href]), ...node.children.flatMap(listHrefs)]
      expect(richNodes.flatMap(listHrefs).filter((href) => /script/i.test(href))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

it('deeply nested elements are flattened to text', () => {
  const nodes = convertToRichText(`${'<ul><li>'.repeat(2000)}x${'</li></ul>'.repeat(2000)}`)
  expect(extractPlainText(nodes)).toBe('x')
  expect(JSON.stringify(nodes).length).toBeLessThan(2000)
})

it('in plain text, spaces are collapsed, and none are inserted into words', () => {
  expect(extractPlainText(convertToRichText('<p>a <b>b</b>c</p>\n<p>d</p><ul><li>e</li><li>f</li></ul>'))).toBe('a bc d e f')
})
