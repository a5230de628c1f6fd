import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEndedLoginsRefused } from './identity/ended-logins.ts'
import { type Site, startSite } from './server.ts'

it('SQLite: two servers with one data directory refuse the identity token of a login within a second after its end', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-logins-'))
  const sites: Site[] = []
  try {
    for (let count = 0; count < 2; count++) sites.push(await startSite({ DATA_DIR: dataDir, DEMO: 'off' }))
    expect(new Set(sites.map(({ pid }) => pid)).size).toBe(2)
    await expectEndedLoginsRefused(sites)
  } finally {
    for (const site of sites) await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
