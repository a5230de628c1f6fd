import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Page, pages } from '../contract/pages.ts'
import { pageTableFaults } from './page-table.ts'
import { readRouteFiles } from './route-files.ts'

const routes = readRouteFiles(fileURLToPath(new URL('../client/routes', import.meta.url)))
const table: Readonly<Record<string, Page>> = pages
const page: Page = { heading: 'Extra' }

it('page table: every page has a route or is planned, and every route has a page', () => {
  expect(pageTableFaults(table, routes)).toEqual([])
})

it('page table: a page without a route, and a route without a page, are faults', () => {
  expect(pageTableFaults({ ...table, '/extra': page }, routes)).toEqual([expect.stringContaining('/extra is in contract/pages.ts')])
  expect(pageTableFaults(table, [...routes, { file: 'extra.tsx', path: '/extra' }])).toEqual([
    expect.stringContaining('client/routes/extra.tsx declares /extra'),
  ])
  expect(
    pageTableFaults(
      table,
      routes.filter(({ path }) => path !== '/storage'),
    ),
  ).toHaveLength(1)
  const { '/storage': _removed, ...tableWithoutStorage } = table
  expect(pageTableFaults(tableWithoutStorage, routes)).toHaveLength(1)
})

it('page table: a planned page with a route is a fault', () => {
  expect(pageTableFaults({ ...table, '/faq': { heading: 'FAQ', planned: true } }, routes)).toEqual([
    expect.stringContaining('marked as planned'),
  ])
})

it('page table: access has to agree with the login layout, and no page is at a path of the server', () => {
  const faultsOf = (path: string, overrides: Partial<Page>) =>
    pageTableFaults({ ...table, [path]: { ...page, planned: true, ...overrides } }, routes)
  expect(faultsOf('/account/extra', {})).toEqual([expect.stringContaining('login layout')])
  expect(faultsOf('/extra', { access: 'user' })).toEqual([expect.stringContaining('login layout')])
  expect(faultsOf('/api/extra', {})).toEqual([expect.stringContaining('path of the server')])
})
