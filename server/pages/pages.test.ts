import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function open(path: string, host = 'localhost:8080') {
  const { statusCode, headers, body } = await site.app.inject({ url: path, headers: { host } })
  const first = (pattern: RegExp) => pattern.exec(body)?.[1]
  return {
    status: statusCode,
    headers,
    body,
    title: first(/<title>(.*?)<\/title>/),
    heading: first(/<h1>(.*?)<\/h1>/),
    description: first(/<meta name="description" content="(.*?)">/),
    canonical: first(/<link rel="canonical" href="(.*?)">/),
    image: first(/<meta property="og:image" content="(.*?)">/),
    site: JSON.parse(first(/<script type="application\/json" id="site">(.*?)<\/script>/s) ?? 'null'),
    jsonLd: [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map((match) => JSON.parse(match[1] ?? '')),
  }
}

const fixed = [
  ...['/playlists', '/login', '/signup', '/forgot-password', '/reset-password', '/account', '/account/change-password', '/account/website'],
  ...['/account/promotion', '/account/maker', '/account/make', '/account/artwork', '/subscribe', '/network', '/members', '/latest'],
  ...['/get-in-touch', '/faq', '/about-us', '/privacy'],
]

describe('heads of a main host', () => {
  it('differ for every route, in both brands', async () => {
    const seen = new Set<string | undefined>()
    for (const host of ['localhost:8080', 'slowedreverb.localhost:8080']) {
      const whatIs = (await open('/', host)).site.settings.WHAT_IS_PATH
      for (const path of ['/', '/search', whatIs, ...fixed]) {
        const page = await open(path, host)
        expect([path, page.status]).toEqual([path, 200])
        expect(page.heading).toBeTruthy()
        expect(page.canonical).toBe(`http://${host}${path}`)
        expect(page.image).toBe(`http://${host}/img/og/site.jpg`)
        seen.add(`${page.title} ${page.description}`)
      }
    }
    expect(seen.size).toBe(2 * (fixed.length + 3))
  })

  it('belong to the brand of the host', async () => {
    const one = await open('/')
    const other = await open('/', 'www.slowedreverb.localhost:8080')
    expect(one.body).toContain('<html lang="en" data-brand="nightcore-meridian">')
    expect(one.heading).toBe(one.site.settings.HERO_TITLE)
    expect(other.body).toContain('<html lang="en" data-brand="slowed-reverb-meridian">')
    expect(other.title).toBe(other.site.settings.META_TITLE)
    expect(one.jsonLd[0]['@type']).toBe('WebSite')
  })

  it('show a song with its picture', async () => {
    const page = await open('/song?s=AAAAAAAAAA1&p=night-drive&shuffle')
    expect(page).toMatchObject({
      status: 200,
      title: 'Café del Mar · Élan · Nightcore Meridian',
      heading: 'Café del Mar',
      description: 'The first. https://example.com',
      canonical: 'http://localhost:8080/song?s=AAAAAAAAAA1',
      image: 'http://localhost:8080/img/og/song/AAAAAAAAAA1.jpg',
    })
    expect(page.body).toContain('<meta name="twitter:card" content="summary_large_image">')
    expect(page.jsonLd.map((data) => data['@type'])).toEqual(['MusicRecording', 'VideoObject', 'BreadcrumbList'])
    expect(page.jsonLd[1]).toMatchObject({
      name: 'Café del Mar',
      duration: 'PT200S',
      embedUrl: 'https://www.youtube.com/embed/AAAAAAAAAA1',
    })
  })

  it('show a playlist', async () => {
    const page = await open('/playlist?p=night-drive')
    expect(page).toMatchObject({ status: 200, title: 'Night Drive · Nightcore Meridian', description: 'For empty roads.' })
    expect(page.jsonLd[0]).toMatchObject({ '@type': 'MusicPlaylist', numTracks: 3 })
  })

  it('are 404 for what does not exist', async () => {
    for (const path of [
      '/nothing',
      '/song',
      '/song?s=ZZZZZZZZZZZ',
      '/song?s=%00',
      '/playlist?p=nothing',
      '/playlist?p=%00',
      '/account/nothing',
    ]) {
      const page = await open(path)
      expect([path, page.status, page.canonical]).toEqual([path, 404, undefined])
      expect(page.body).toContain('<meta name="robots" content="noindex">')
      expect(page.site.brand).toBe('nightcore-meridian')
    }
  })

  it('show what is hostile as text', async () => {
    const song = await open('/song?s=AAAAAAAAAA3')
    expect(song.heading).toBe('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    const playlist = await open('/playlist?p=empty')
    const search = await open(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    for (const page of [song, playlist, search]) {
      expect(page.status).toBe(200)
      expect(page.body).not.toMatch(/<script>alert|<img|<b>|\u2028/)
    }
  })

  it('never repeat a made-up host', async () => {
    for (const host of ['evil.example', 'x"><script>.localhost', 'evil.example:8080']) {
      const page = await open('/', host)
      expect(page.canonical).toBe('http://localhost:8080/')
      expect(page.body).not.toContain('evil')
    }
  })

  it('answer a slash at the end and HEAD alike', async () => {
    expect((await open('/playlists/')).canonical).toBe('http://localhost:8080/playlists')
    const head = await site.app.inject({ method: 'HEAD', url: '/playlists' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })
})

describe('other hosts', () => {
  it('show the radio at every path', async () => {
    for (const path of ['/', '/playlists', '/anything/else']) {
      const page = await open(path, 'fm.localhost:8080')
      expect(page).toMatchObject({ status: 200, title: 'Nightcore Meridian Radio', canonical: 'http://fm.localhost:8080/' })
      expect(page.site).toMatchObject({ host_class: 'radio', main_url: 'http://localhost:8080' })
    }
  })

  it('show a subscriber at / only', async () => {
    const page = await open('/', 'aria.localhost:8080')
    expect(page).toMatchObject({ status: 200, heading: 'aria', canonical: 'http://aria.localhost:8080/' })
    expect(page.site).toMatchObject({ host_class: 'subscriber', subdomain: 'aria', radio_url: 'http://fm.localhost:8080' })
    expect((await open('/playlists', 'aria.localhost:8080')).status).toBe(404)
  })
})

describe('security headers', () => {
  it('allow exactly the style that the page holds', async () => {
    const { body, headers } = await open('/')
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain(`style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(policy).not.toContain("'unsafe")
    const starter = /<script>(.*?)<\/script>/s.exec(body)?.[1] ?? ''
    expect(starter).not.toBe('')
    expect(policy).toContain(
      `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash('sha256').update(starter).digest('base64')}' https://www.youtube.com;`,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'referrer-policy': 'strict-origin-when-cross-origin', 'x-content-type-options': 'nosniff' })
    expect(body.replace(`<script>${starter}</script>`, '')).not.toMatch(/<script(?! type="(?:application|module)[/"])|\sstyle=|\son\w+=/)
  })

  it('insist on https only where the site has it', async () => {
    expect((await open('/')).headers['strict-transport-security']).toBeUndefined()
    const secure = await createTestApp({
      PUBLIC_ORIGIN: 'https://example.org',
      SITE_HOSTS: 'example.org',
      API_BASE_URL: 'https://api.example.org',
    })
    try {
      const { headers, body } = await secure.app.inject({ url: '/', headers: { host: 'example.org' } })
      expect(headers['strict-transport-security']).toContain('max-age=')
      expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.org;")
      expect(body).toContain('"api_base_url":"https://api.example.org"')
      expect(body).toContain('<link rel="canonical" href="https://example.org/">')
    } finally {
      await secure.close()
    }
  })
})

describe('redirects', () => {
  it('lead to a song, or to the radio', async () => {
    const random = await site.app.inject('/go/random')
    expect([random.statusCode, random.headers.location]).toEqual([302, expect.stringMatching(/^\/song\?s=[\w-]{11}&p=\w+&shuffle$/)])
    const radio = await site.app.inject({ url: '/go/radio', headers: { host: 'localhost' } })
    expect(radio.headers.location).toBe('http://fm.localhost:8080/')
  })
})

describe('the shell', () => {
  it('names the pages of its host, and stands for no address', async () => {
    const main = await open('/shell')
    const whatIs = main.site.settings.WHAT_IS_PATH
    expect(main).toMatchObject({ status: 200, canonical: undefined, jsonLd: [] })
    expect(main.headers['x-shell-paths']?.toString().split(',')).toEqual(
      expect.arrayContaining(['/', '/song', '/playlist', whatIs, ...fixed]),
    )
    expect(main.headers['cache-control']).toBe('no-cache')
    expect(main.body).not.toContain(main.site.settings.HERO_TITLE.concat('</h1>'))
    const other = await open('/shell', 'slowedreverb.localhost:8080')
    expect(other.site.brand).toBe('slowed-reverb-meridian')
    expect((await open('/shell', 'fm.localhost:8080')).headers['x-shell-paths']).toBe('*')
    expect((await open('/shell', 'aria.localhost:8080')).headers['x-shell-paths']).toBe('/')
  })
})
