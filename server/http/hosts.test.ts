import { describe, expect, it } from 'vitest'
import { createHostResolver } from './hosts.ts'

const localHosts = createHostResolver({
  siteHosts: ['localhost', 'slowedreverb.localhost', '127.0.0.1'],
  publicOrigin: new URL('http://localhost:8080'),
})

describe('siteOf', () => {
  it.each([
    ['localhost:8080', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
    ['www.localhost', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
    ['DEV.LocalHost:1', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
    ['fm.localhost:8080', 'nightcore-meridian', 'radio', '', 'http://fm.localhost:8080'],
    ['aria.localhost:8080', 'nightcore-meridian', 'subscriber', 'aria', 'http://aria.localhost:8080'],
    ['slowedreverb.localhost:8080', 'slowed-reverb-meridian', 'main', '', 'http://slowedreverb.localhost:8080'],
    ['fm.slowedreverb.localhost', 'slowed-reverb-meridian', 'radio', '', 'http://fm.slowedreverb.localhost:8080'],
    ['localhost.', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
    ['127.0.0.1:8080', 'nightcore-meridian', 'main', '', 'http://127.0.0.1:8080'],
    ['elsewhere.example', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
    ['notlocalhost', 'nightcore-meridian', 'main', '', 'http://localhost:8080'],
  ])('siteOf: the host %s belongs to %s, as a host of the kind %s', (hostHeader, brand, hostClass, subdomain, expectedOrigin) => {
    const site = localHosts.siteOf(hostHeader)
    expect([site.brand.id, site.hostClass, site.subdomain, site.origin]).toEqual([brand, hostClass, subdomain, expectedOrigin])
  })

  it.each([
    undefined,
    '',
    '"><script>.localhost',
    'a/b.localhost',
    'a b.localhost',
    'évil.localhost',
    '[::1]:8080',
    `${'a'.repeat(300)}.localhost`,
  ])('siteOf: the hostile Host header %s is treated as that of a main host', (header) => {
    expect(localHosts.siteOf(header)).toMatchObject({ hostClass: 'main', subdomain: '', origin: 'http://localhost:8080' })
  })

  it('siteOf: scheme and port are those of the public origin', () => {
    const hostResolver = createHostResolver({ siteHosts: ['example.org'], publicOrigin: new URL('https://example.org') })
    expect(hostResolver.siteOf('fm.example.org:8080')).toMatchObject({
      origin: 'https://fm.example.org',
      mainUrl: 'https://example.org',
      radioUrl: 'https://fm.example.org',
    })
  })

  it("siteOf: for an IP address, the radio is that of the brand's named host", () => {
    expect(localHosts.siteOf('127.0.0.1').radioUrl).toBe('http://fm.localhost:8080')
  })

  it('siteOf: the number of cached hosts is limited', () => {
    for (let index = 0; index < 5000; index++) localHosts.siteOf(`h${index}.localhost`)
    expect(localHosts.siteOf('h1.localhost').subdomain).toBe('h1')
  })
})

describe('isOwnOrigin', () => {
  it.each(['http://localhost:8080', 'http://fm.localhost:8080', 'http://aria.slowedreverb.localhost:8080', 'http://127.0.0.1:8080'])(
    'isOwnOrigin: the origin %s belongs to the site',
    (origin) => expect(localHosts.isOwnOrigin(origin)).toBe(true),
  )

  it.each([
    ...['https://localhost:8080', 'http://localhost', 'http://localhost:8081', 'http://evil.example:8080', 'http://evillocalhost:8080'],
    ...['http://localhost.evil.example:8080', 'http://localhost:8080/', 'http://u@localhost:8080', 'null', '', 'localhost:8080'],
  ])('isOwnOrigin: the origin %s does not belong to the site', (origin) => expect(localHosts.isOwnOrigin(origin)).toBe(false))

  it('isOwnOrigin: the public origin is accepted, even if its host is not a host of the site', () => {
    const hostResolver = createHostResolver({ siteHosts: ['example.org'], publicOrigin: new URL('https://other.example') })
    expect(
      ['https://other.example', 'https://example.org', 'https://sub.other.example'].map((each) => hostResolver.isOwnOrigin(each)),
    ).toEqual([...[true, true, false]])
  })
})
