import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'
import { storeLogo } from './logo-file.ts'

let site: TestApp
let folderPath: string
beforeEach(async () => {
  site = await createTestApp()
  folderPath = await mkdtemp(join(tmpdir(), 'varispeed-logo-'))
})
afterEach(async () => {
  await site.close()
  await rm(folderPath, { recursive: true, force: true })
})

async function storeLogoFile(fileName: string, fileContent: string | Buffer): Promise<string> {
  await writeFile(join(folderPath, fileName), fileContent)
  return storeLogo(site.storage, join(folderPath, fileName))
}

it('a logo is served with its content type, and with a policy that blocks its scripts', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="alert(1)"><script>alert(1)</script></svg>'
  const logoUrl = await storeLogoFile('logo.svg', svg)
  expect(logoUrl).toMatch(/^\/img\/logo\/[0-9a-f]{32}\.svg$/)
  const { statusCode, headers, body } = await site.app.inject({ url: logoUrl })
  expect([statusCode, body]).toEqual([200, svg])
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8')
  expect(headers['content-security-policy']).toContain('sandbox')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(await storeLogoFile('again.svg', svg)).toBe(logoUrl)
  expect((await site.app.inject({ url: logoUrl.replace('.svg', '.png') })).statusCode).toBe(404)
  expect((await site.app.inject({ url: `/img/logo/${'0'.repeat(32)}.svg` })).statusCode).toBe(404)
})

it('a logo file is refused if it is not a picture or is too large', async () => {
  await expect(storeLogoFile('page.svg', '<html><script>alert(1)</script></html>')).rejects.toThrow('is no picture')
  await expect(storeLogoFile('text.png', 'hello')).rejects.toThrow('is no picture')
  await expect(storeLogoFile('large.png', Buffer.alloc(300 * 1024))).rejects.toThrow('larger than 256 KiB')
  await expect(storeLogoFile('packed.svg', gzipSync('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'))).rejects.toThrow(
    'is no picture',
  )
  await expect(storeLogoFile('empty.svg', '')).rejects.toThrow('is no picture')
  await expect(storeLogo(site.storage, folderPath)).rejects.toThrow('cannot be read')
  await expect(storeLogo(site.storage, join(folderPath, 'none.svg'))).rejects.toThrow('cannot be read')
})
