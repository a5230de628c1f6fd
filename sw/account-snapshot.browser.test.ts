import { beforeEach, expect, it } from 'vitest'
import { EMPTY_SNAPSHOT_TEMPLATE, SNAPSHOT_PATH } from '../contract/account-snapshot.ts'
import { createAccountSnapshot } from './account-snapshot.ts'

const content = 'data-account="ann"><p>$& Favorites</p></template>'
const html = `<template ${content}`
const styleSheets = ['/assets/own.css']
const page = `<!doctype html><main></main>${EMPTY_SNAPSHOT_TEMPLATE}<script></script></html>`

beforeEach(async () => {
  for (const name of await caches.keys()) await caches.delete(name)
})

const createTestSnapshot = (cacheName = 'build-1') => createAccountSnapshot({ cacheName, isOwnAsset: (path) => path === '/assets/own.css' })
const insertInto = async (snapshot: ReturnType<typeof createTestSnapshot>, urlPath: string = SNAPSHOT_PATH) => {
  const response = await snapshot.insertInto(new Response(page, { headers: { 'content-security-policy': "default-src 'none'" } }), urlPath)
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
  return response.text()
}

it('account snapshot: the snapshot is inserted only into the document of the dashboard', async () => {
  const snapshot = createTestSnapshot()
  expect(await insertInto(snapshot)).toBe(page)
  await snapshot.store({ html, styleSheets })
  expect(await insertInto(snapshot)).toBe(page.replace(EMPTY_SNAPSHOT_TEMPLATE, () => `<template id="account-snapshot" ${content}`))
  expect(await insertInto(snapshot, '/account/maker')).toBe(page)
})

it('account snapshot: a later snapshot replaces an earlier one; a snapshot of a page of another build does not', async () => {
  const snapshot = createTestSnapshot()
  await snapshot.store({ html, styleSheets })
  await snapshot.store({ html: html.replaceAll('ann', 'bob'), styleSheets })
  await snapshot.store({ html: '<template>other</template>', styleSheets: ['/assets/own.css', '/assets/other.css'] })
  expect(await insertInto(snapshot)).toContain('data-account="bob"')
})

it('account snapshot: a deletion removes the snapshots of all builds, including one that is still being stored', async () => {
  const [snapshot, otherBuild] = [createTestSnapshot(), createTestSnapshot('build-2')]
  await otherBuild.store({ html, styleSheets })
  await Promise.all([snapshot.store({ html, styleSheets }), snapshot.delete()])
  expect(await insertInto(snapshot)).toBe(page)
  expect(await insertInto(otherBuild)).toBe(page)
  expect(await caches.keys()).toEqual([])
})

it('account snapshot: a new build deletes the snapshots of other builds', async () => {
  const [snapshot, newBuild] = [createTestSnapshot(), createTestSnapshot('build-2')]
  await snapshot.store({ html, styleSheets })
  await newBuild.store({ html, styleSheets })
  await newBuild.deleteOtherBuilds()
  expect(await insertInto(snapshot)).toBe(page)
  expect(await insertInto(newBuild)).toContain('Favorites')
})
