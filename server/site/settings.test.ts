import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { findBrandOfHost } from '../../brands/registry.ts'
import { createTestApp } from '../test-app.ts'
import { isTakenPath } from './settings.ts'

it('WHAT_IS_PATH cannot be a path that the server itself answers, even if an earlier version has stored it', async () => {
  const { app, storage, close } = await createTestApp()
  try {
    const printedRoutes = app.printRoutes({ commonPrefix: false }).matchAll(/^ {4}.── ([a-z0-9-]+)(?=[/ ])/gm)
    const staticFolders = (await readdir(new URL('../../public', import.meta.url), { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    )
    const firstSegments = [
      ...new Set([...[...printedRoutes].map(([, name]) => name ?? ''), ...staticFolders.map(({ name }) => name), 'assets']),
    ]
    expect(firstSegments).toEqual(expect.arrayContaining(['api', 'img', 'sitemaps', 'icons', 'screenshots', 'go', 'shell']))
    expect(firstSegments.filter((name) => !isTakenPath(`/${name}`))).toEqual([])

    await storage.settings.set('WHAT_IS_PATH', '/sitemaps', undefined)
    const { data } = (await app.inject('/api/site')).json()
    expect(data.settings.WHAT_IS_PATH).toBe(findBrandOfHost('').settings.WHAT_IS_PATH)
  } finally {
    await close()
  }
})
