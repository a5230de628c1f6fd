import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeEach(async () => {
  site = await createTestApp({ SITE_HOSTS: 'example.org,slowedreverb.example.net', PUBLIC_ORIGIN: 'https://example.org' })
})
afterEach(() => site.close())

const requestStatus = async (domain: string) => (await site.app.inject(`/api/host?domain=${encodeURIComponent(domain)}`)).statusCode

it.each([
  'example.org',
  'EXAMPLE.org',
  'www.example.org',
  'dev.example.org',
  'fm.example.org',
  'slowedreverb.example.net',
  'fm.slowedreverb.example.net',
  'aria.example.org',
  'aria.slowedreverb.example.net',
])('/host accepts the host name %s', async (domain) => {
  expect(await requestStatus(domain)).toBe(200)
})

it.each([
  'nobody.example.org',
  'www.aria.example.org',
  'fm.fm.example.org',
  'example.com',
  'notexample.org',
  'example.org.evil.example',
  'localhost',
  '203.0.113.7',
  'a b.example.org',
  "aria'--.example.org",
  '*.example.org',
  '.example.org',
  '-',
])('/host refuses the host name %s', async (domain) => {
  expect(await requestStatus(domain)).toBe(404)
})

it('/host without a domain is refused', async () => {
  const response = await site.app.inject('/api/host')
  expect(response.statusCode).toBe(400)
  expect(response.json().message).toContain('domain')
})
