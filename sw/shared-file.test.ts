import { expect, it } from 'vitest'
import { isFromOtherSite } from './shared-file.ts'

const OWN_ORIGIN = 'https://example.org'
const request = (headers: Record<string, string>, referrer = '') => ({ headers: new Headers(headers), referrer })

it('share target: a share by the operating system and a form of the site are accepted, and a form of another site is not', () => {
  for (const acceptedTypes of [
    request({}),
    request({ 'sec-fetch-site': 'none', origin: 'null' }),
    request({ 'sec-fetch-site': 'same-origin', origin: OWN_ORIGIN }, `${OWN_ORIGIN}/account/maker`),
    request({}, 'about:client'),
  ])
    expect(isFromOtherSite(acceptedTypes, OWN_ORIGIN)).toBe(false)
  for (const refusedForm of [
    request({ 'sec-fetch-site': 'cross-site' }),
    request({ 'sec-fetch-site': 'same-site' }),
    request({ origin: 'https://evil.example' }),
    request({}, 'https://evil.example/form'),
  ])
    expect(isFromOtherSite(refusedForm, OWN_ORIGIN)).toBe(true)
})
