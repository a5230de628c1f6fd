import { expect, it } from 'vitest'
import { isFromOtherSite } from './shared-file.ts'

const OWN_ORIGIN = 'https://example.org'
const createRequest = (headers: Record<string, string>, referrer = '') => ({ headers: new Headers(headers), referrer })

it('share target: a share by the operating system and a form of the site are accepted, and a form of another site is not', () => {
  for (const acceptedTypes of [
    createRequest({}),
    createRequest({ 'sec-fetch-site': 'none', origin: 'null' }),
    createRequest({ 'sec-fetch-site': 'same-origin', origin: OWN_ORIGIN }, `${OWN_ORIGIN}/account/maker`),
    createRequest({}, 'about:client'),
  ])
    expect(isFromOtherSite(acceptedTypes, OWN_ORIGIN)).toBe(false)
  for (const refusedForm of [
    createRequest({ 'sec-fetch-site': 'cross-site' }),
    createRequest({ 'sec-fetch-site': 'same-site' }),
    createRequest({ origin: 'https://evil.example' }),
    createRequest({}, 'https://evil.example/form'),
  ])
    expect(isFromOtherSite(refusedForm, OWN_ORIGIN)).toBe(true)
})
