import { beforeEach, expect, it } from 'vitest'
import { EMPTY_SNAPSHOT_TEMPLATE, SNAPSHOT_PATH } from '../contract/account-snapshot.ts'
import { createAccountSnapshot } from './account-snapshot.ts'

const snapshotContent = 'data-account="ann"><p>$& Favorites</p></template>'
const snapshotHtml = `<template ${snapshotContent}`
const styleSheets = ['/assets/own.css']
const page = `<!doctype html><main></main>${EMPTY_SNAPSHOT_TEMPLATE}<script></script></html>`

beforeEach(async () => {
  for (const name of await caches.keys()) await caches.delete(name)
})

const createTestSnapshot = (cacheName = 'build-1') => createAccountSnapshot({ cacheName, isOwnAsset: (path) => path === '/assets/own.css' })
const insertInto = async (accountSnapshot: ReturnType<typeof createTestSnapshot>, urlPath: string = SNAPSHOT_PATH) => {
  const response = await accountSnapshot.insertInto(
    new Response(page, { headers: { 'content-security-policy': "default-src 'none'" } }),
    urlPath,
  )
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'")
  return response.text()
}

it('account snapshot: the snapshot is inserted only into the document of the dashboard', async () => {
  const testSnapshot = createTestSnapshot()
  expect(await insertInto(testSnapshot)).toBe(page)
  await testSnapshot.store({ html: snapshotHtml, styleSheets })
  expect(await insertInto(testSnapshot)).toBe(
    page.replace(EMPTY_SNAPSHOT_TEMPLATE, () => `<template id="account-snapshot" ${snapshotContent}`),
  )
  expect(await insertInto(testSnapshot, '/account/maker')).toBe(page)
})

it('account snapshot: a later snapshot replaces an earlier one; a snapshot of a page of another build does not', async () => {
  const testSnapshot = createTestSnapshot()
  await testSnapshot.store({ html: snapshotHtml, styleSheets })
  await testSnapshot.store({ html: snapshotHtml.replaceAll('ann', 'bob'), styleSheets })
  await testSnapshot.store({ html: '<template>other</template>', styleSheets: ['/assets/own.css', '/assets/other.css'] })
  expect(await insertInto(testSnapshot)).toContain('data-account="bob"')
})

it('account snapshot: a deletion removes the snapshots of all builds, including one that is still being stored', async () => {
  const [testSnapshot, otherBuild] = [createTestSnapshot(), createTestSnapshot('build-2')]
  await otherBuild.store({ html: snapshotHtml, styleSheets })
  await Promise.all([testSnapshot.store({ html: snapshotHtml, styleSheets }), testSnapshot.delete()])
  expect(await insertInto(testSnapshot)).toBe(page)
  expect(await insertInto(otherBuild)).toBe(page)
  expect(await caches.keys()).toEqual([])
})

it('account snapshot: a new build deletes the snapshots of other builds', async () => {
  const [testSnapshot, newBuild] = [createTestSnapshot(), createTestSnapshot('build-2')]
  await testSnapshot.store({ html: snapshotHtml, styleSheets })
  await newBuild.store({ html: snapshotHtml, styleSheets })
  await newBuild.deleteOtherBuilds()
  expect(await insertInto(testSnapshot)).toBe(page)
  expect(await insertInto(newBuild)).toContain('Favorites')
})
