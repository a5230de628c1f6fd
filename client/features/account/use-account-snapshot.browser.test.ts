import { afterEach, expect, it } from 'vitest'
import { renderSnapshot } from './use-account-snapshot.ts'

afterEach(() => document.body.replaceChildren())

function render(snapshotMarkup: string): DocumentFragment | undefined {
  document.body.innerHTML = `<main id="main">${snapshotMarkup}</main>`
  const snapshotHtml = renderSnapshot(document.body.firstElementChild ?? document.body, 'a"b')
  if (snapshotHtml === undefined) return undefined
  document.body.innerHTML = snapshotHtml
  const template = document.querySelector('template')
  expect(template?.dataset.account).toBe('a"b')
  return template?.content
}

const createRows = (first: number, count: number) =>
  `<ol style="height: 90px">${Array.from({ length: count }, (_, index) => `<li data-index="${first + index}">&lt;/template&gt;</li>`).join('')}</ol>`

it('account snapshot: the snapshot has the uid and the content of the page, without the elements that the device must not store', () => {
  const snapshotContent = render(
    '<h1>Dashboard</h1><div data-unstored="">network 1.2.3.x</div><dialog>Delete</dialog><input hidden><img data-loading="" alt="x">',
  )
  expect(snapshotContent?.querySelector('h1')?.textContent).toBe('Dashboard')
  expect(snapshotContent?.textContent).not.toMatch(/network|Delete/)
  expect(snapshotContent?.querySelector('dialog, input, [data-loading]')).toBeNull()
})

it('account snapshot: a list has its first 24 rows, and style attributes, which the page’s CSP refuses, become data attributes', () => {
  const snapshotContent = render(createRows(0, 30))
  expect(snapshotContent?.querySelectorAll('li')).toHaveLength(24)
  expect(snapshotContent?.querySelector('li')?.textContent).toBe('</template>')
  expect(snapshotContent?.querySelector('ol')?.dataset.style).toBe('height: 90px;')
  expect(snapshotContent?.querySelector('[style]')).toBeNull()
})

it.each([
  ['shows a form', '<input type="password" value="secret">'],
  ['shows a dialog', '<dialog open><input hidden></dialog>'],
  ['is loading', '<div aria-busy="true"></div>'],
  ['has scrolled past the first rows of a long list', createRows(40, 24)],
])('account snapshot: no snapshot is made while the page %s', (_, markup) => {
  expect(render(markup)).toBeUndefined()
})
