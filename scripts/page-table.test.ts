import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type Page, pages } from '../contract/pages.ts'
import { findPageTableFaults } from './page-table.ts'
import { readRouteFiles } from './route-files.ts'

const routeFiles = readRouteFiles(fileURLToPath(new URL('../client/routes', import.meta.url)))
const pageTable: Readonly<Record<string, Page>> = pages
const page: Page = { heading: 'Extra' }

it('page table: every page has a route or is planned, and every route has a page', () => {
  expect(findPageTableFaults(pageTable, routeFiles)).toEqual([])
})

it('page table: a page without a route, and a route without a page, are faults', () => {
  expect(findPageTableFaults({ ...pageTable, '/extra': page }, routeFiles)).toEqual([
    expect.stringContaining('/extra is in contract/pages.ts'),
  ])
  expect(findPageTableFaults(pageTable, [...routeFiles, { file: 'extra.tsx', path: '/extra' }])).toEqual([
    expect.stringContaining('client/routes/extra.tsx declares /extra'),
  ])
  expect(
    findPageTableFaults(
      pageTable,
      routeFiles.filter(({ path }) => path !== '/storage'),
    ),
  ).toHaveLength(1)
  const { '/storage': _removed, ...tableWithoutStorage } = pageTable
  expect(findPageTableFaults(tableWithoutStorage, routeFiles)).toHaveLength(1)
})

it('page table: a planned page with a route is a fault', () => {
  expect(findPageTableFaults({ ...pageTable, '/faq': { heading: 'FAQ', planned: true } }, routeFiles)).toEqual([
    expect.stringContaining('marked as planned'),
  ])
})

it('page table: access has to agree with the login layout, and no page is at a path of the server', () => {
  const findFaultsOf = (path: string, overrides: Partial<Page>) =>
    findPageTableFaults({ ...pageTable, [path]: { ...page, planned: true, ...overrides } }, routeFiles)
  expect(findFaultsOf('/account/extra', {})).toEqual([expect.stringContaining('login layout')])
  expect(findFaultsOf('/extra', { access: 'user' })).toEqual([expect.stringContaining('login layout')])
  expect(findFaultsOf('/api/extra', {})).toEqual([expect.stringContaining('path of the server')])
})
