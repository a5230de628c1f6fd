import { expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createDocuments } from './documents.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { rowValidators } from './row-shapes.ts'

const createPolicy = (text: string): ContentDocument<'privacy'> => ({ updated: '2026-11-23', content: [{ tag: 'p', children: [text] }] })
const connection = { offline: false, subscribe: () => () => {} }
const offlineApi: Api = { call: () => Promise.reject(new ApiCallError('network', 0, 'No connection.')) }

it('documents: the document in the HTML is stored, and can be read later without a connection', async () => {
  const database = createMemoryDatabase()
  const initialData = { documents: [{ name: 'privacy' as const, content: createPolicy('first') }] }
  await createDocuments({ api: offlineApi, database, connection, initialData }).get('privacy').refresh()

  const laterVisit = createDocuments({ api: offlineApi, database, connection }).get('privacy')
  await laterVisit.waitUntilOpened()
  await laterVisit.refresh()
  expect(laterVisit.getSnapshot()).toMatchObject({ data: createPolicy('first'), status: 'ready', stale: true })
})

it('documents: without a connection a document that is not stored is an error, even if the HTML contains another document', async () => {
  const initialData = { documents: [{ name: 'privacy' as const, content: createPolicy('first') }] }
  const faq = createDocuments({ api: offlineApi, database: createMemoryDatabase(), connection, initialData }).get('faq')
  await faq.refresh()
  expect(faq.getSnapshot()).toMatchObject({ data: undefined, status: 'error', error: { kind: 'network' } })
})

it('documents: a stored row is valid only if its content fits the name of the document', () => {
  expect(rowValidators.documents({ name: 'privacy', content: createPolicy('text') })).toBe(true)
  for (const row of [{ name: 'faq', content: createPolicy('text') }, { name: 'other', content: [] }, { name: 'faq', content: [{}] }, null])
    expect(rowValidators.documents(row)).toBe(false)
})
