import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'
import { escapeHtml } from '../text/escape-html.ts'
import { pageDescriptions } from './descriptions.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp()
})
afterAll(() => site.close())

async function openPage(urlPath: string, host = 'localhost:8080') {
  const { statusCode, headers, body } = await site.app.inject({ url: urlPath, headers: { host } })
  const findFirstMatch = (pattern: RegExp) => pattern.exec(body)?.[1]
  return {
    status: statusCode,
    headers,
    body,
    title: findFirstMatch(/<title>(.*?)<\/title>/),
    heading: findFirstMatch(/<h1>(.*?)<\/h1>/),
    description: findFirstMatch(/<meta name="description" content="(.*?)">/),
    canonical: findFirstMatch(/<link rel="canonical" href="(.*?)">/),
    image: findFirstMatch(/<meta property="og:image" content="(.*?)">/),
    site: JSON.parse(findFirstMatch(/<script type="application\/json" id="site">(.*?)<\/script>/s) ?? 'null'),
    jsonLd: [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map((match) => JSON.parse(match[1] ?? '')),
  }
}

const fixedPaths = Object.keys(pageDescriptions)

describe('page heads of a main host', () => {
  it('every route of both brands has a different title and description', async () => {
    const distinctHeads = new Set<string | undefined>()
    for (const hostHeader of ['localhost:8080', 'slowedreverb.localhost:8080']) {
      const whatIsPath = (await openPage('/', hostHeader)).site.settings.WHAT_IS_PATH
      for (const urlPath of ['/', '/search', whatIsPath, ...fixedPaths]) {
        const page = await openPage(urlPath, hostHeader)
        expect([urlPath, page.status]).toEqual([urlPath, 200])
        expect(page.heading).toBeTruthy()
        expect(page.canonical).toBe(`http://${hostHeader}${urlPath}`)
        expect(page.image).toBe(`http://${hostHeader}/img/og/site.jpg`)
        distinctHeads.add(`${page.title} ${page.description}`)
      }
    }
    expect(distinctHeads.size).toBe(2 * (fixedPaths.length + 3))
  })

  it('the host selects the brand', async () => {
    const nightcoreHtml = await openPage('/')
    const slowedReverbPage = await openPage('/', 'www.slowedreverb.localhost:8080')
    expect(nightcoreHtml.body).toContain('<html lang="en" data-brand="nightcore-meridian">')
    expect(nightcoreHtml.heading).toBe(nightcoreHtml.site.settings.HERO_TITLE)
    expect(slowedReverbPage.body).toContain('<html lang="en" data-brand="slowed-reverb-meridian">')
    expect(slowedReverbPage.title).toBe(slowedReverbPage.site.settings.META_TITLE)
    expect(nightcoreHtml.jsonLd[0]['@type']).toBe('WebSite')
  })

  it('a song page has the title, picture and structured data of its song', async () => {
    const page = await openPage('/song?s=AAAAAAAAAA1&p=night-drive&shuffle')
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

  it('a playlist page has the title and structured data of its playlist', async () => {
    const page = await openPage('/playlist?p=night-drive')
    expect(page).toMatchObject({ status: 200, title: 'Night Drive · Nightcore Meridian', description: 'For empty roads.' })
    expect(page.jsonLd[0]).toMatchObject({ '@type': 'MusicPlaylist', numTracks: 3 })
  })

  it('unknown paths, songs and playlists are answered with 404 and noindex', async () => {
    for (const urlPath of [
      '/nothing',
      '/song',
      '/song?s=ZZZZZZZZZZZ',
      '/song?s=%00',
      '/playlist?p=nothing',
      '/playlist?p=%00',
      '/account/nothing',
    ]) {
      const page = await openPage(urlPath)
      expect([urlPath, page.status, page.canonical]).toEqual([urlPath, 404, undefined])
      expect(page.body).toContain('<meta name="robots" content="noindex">')
      expect(page.site.brand).toBe('nightcore-meridian')
    }
  })

  it('HTML in titles and queries is escaped', async () => {
    const songPage = await openPage('/song?s=AAAAAAAAAA3')
    expect(songPage.heading).toBe('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    const playlistPage = await openPage('/playlist?p=empty')
    const searchPage = await openPage(`/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    for (const page of [songPage, playlistPage, searchPage]) {
      expect(page.status).toBe(200)
      expect(page.body).not.toMatch(/<script>alert|<img|<b>|\u2028/)
    }
  })

  it('an unknown Host header is never repeated in the document', async () => {
    for (const hostHeader of ['evil.example', 'x"><script>.localhost', 'evil.example:8080']) {
      const page = await openPage('/', hostHeader)
      expect(page.canonical).toBe('http://localhost:8080/')
      expect(page.body).not.toContain('evil')
    }
  })

  it('a trailing slash is ignored, and HEAD is answered without a body', async () => {
    expect((await openPage('/playlists/')).canonical).toBe('http://localhost:8080/playlists')
    const headResponse = await site.app.inject({ method: 'HEAD', url: '/playlists' })
    expect([headResponse.statusCode, headResponse.body]).toEqual([200, ''])
  })
})

describe('hosts of the radio and of subscribers', () => {
  it('a radio host answers every path with the radio page', async () => {
    for (const urlPath of ['/', '/playlists', '/anything/else']) {
      const page = await openPage(urlPath, 'fm.localhost:8080')
      expect(page).toMatchObject({ status: 200, title: 'Nightcore Meridian Radio', canonical: 'http://fm.localhost:8080/' })
      expect(page.site).toMatchObject({ host_class: 'radio', main_url: 'http://localhost:8080' })
    }
  })

  it('a radio host names the song on air to search engines', async () => {
    const { jsonLd, heading } = await openPage('/', 'fm.localhost:8080')
    const { data: songOnAir } = (await site.app.inject({ url: '/api/radio/get', headers: { host: 'fm.localhost:8080' } })).json()
    expect(heading).toBe(escapeHtml(songOnAir.title))
    expect(jsonLd).toMatchObject([
      {
        '@type': 'BroadcastEvent',
        startDate: songOnAir.start_time,
        publishedOn: { '@type': 'BroadcastService', name: 'Nightcore Meridian Radio' },
        workPerformed: { '@type': 'MusicRecording', url: `http://localhost:8080/song?s=${songOnAir.youtube_id}` },
      },
    ])
  })

  it('a subscriber host has only the page at /', async () => {
    const page = await openPage('/', 'aria.localhost:8080')
    expect(page).toMatchObject({ status: 200, heading: 'Aria', canonical: 'http://aria.localhost:8080/' })
    expect(page.site).toMatchObject({ host_class: 'subscriber', subdomain: 'aria', radio_url: 'http://fm.localhost:8080' })
    expect((await openPage('/playlists', 'aria.localhost:8080')).status).toBe(404)
  })
})

describe('security headers', () => {
  it('the content security policy allows exactly the inline style and script of the page', async () => {
    const { body, headers } = await openPage('/')
    const styleText = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    const policyText = String(headers['content-security-policy'])
    expect(policyText).toContain(`style-src 'self' 'sha256-${createHash('sha256').update(styleText).digest('base64')}'`)
    expect(policyText).not.toContain("'unsafe")
    const scriptTexts = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
    expect(scriptTexts).toHaveLength(2)
    const scriptHashes = scriptTexts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policyText).toContain(
      `script-src 'self' 'wasm-unsafe-eval' ${scriptHashes.toReversed().join(' ')} https://www.youtube.com/iframe_api https://www.youtube.com/s/player/;`,
    )
    expect(policyText).toContain("frame-ancestors 'none'")
    expect(policyText).toContain("require-trusted-types-for 'script'; trusted-types varispeed youtube-widget-api")
    expect(headers).toMatchObject({ 'referrer-policy': 'strict-origin-when-cross-origin', 'x-content-type-options': 'nosniff' })
    expect(body.replaceAll(/<script>.*?<\/script>/gs, '')).not.toMatch(/<script(?! type="(?:application|module)[/"])|\sstyle=|\son\w+=/)
  })

  it('HSTS is sent only if the public origin is https', async () => {
    expect((await openPage('/')).headers['strict-transport-security']).toBeUndefined()
    const secureSite = await createTestApp({
      PUBLIC_ORIGIN: 'https://example.org',
      SITE_HOSTS: 'example.org',
      API_BASE_URL: 'https://api.example.org',
    })
    try {
      const { headers, body } = await secureSite.app.inject({ url: '/', headers: { host: 'example.org' } })
      expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
      expect(headers['content-security-policy']).toContain("connect-src 'self' https://api.example.org https://discord.com/widget;")
      expect(body).toContain('"api_base_url":"https://api.example.org"')
      expect(body).toContain('<link rel="canonical" href="https://example.org/">')
    } finally {
      await secureSite.close()
    }
  })
})

it('documents disable the back/forward cache of WebKit, which would keep the open transactions of pages that the user has left', async () => {
  const readCaching = async (userAgent: string) =>
    Promise.all(
      ['/playlists', '/shell'].map(
        async (url) => (await site.app.inject({ url, headers: { host: 'localhost', 'user-agent': userAgent } })).headers['cache-control'],
      ),
    )
  const webkitAgent = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
  expect(await readCaching(`Mozilla/5.0 (Macintosh) ${webkitAgent} Version/26.0 Safari/605.1.15`)).toEqual([
    'no-store, no-transform',
    'no-store, no-transform',
  ])
  expect(await readCaching(`Mozilla/5.0 (iPhone) ${webkitAgent} CriOS/140.0 Mobile/15E148 Safari/604.1`)).toEqual([
    'no-store, no-transform',
    'no-store, no-transform',
  ])
  expect(await readCaching('Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36')).toEqual([
    'no-cache, no-transform',
    'no-cache, no-transform',
  ])
  expect(await readCaching('Mozilla/5.0 (X11; rv:140.0) Gecko/20100101 Firefox/140.0')).toEqual([
    'no-cache, no-transform',
    'no-cache, no-transform',
  ])
})

describe('redirects', () => {
  it('/go/random redirects to a song, /go/radio to the radio host, and /go/home to the home page', async () => {
    const randomResponse = await site.app.inject('/go/random')
    expect([randomResponse.statusCode, randomResponse.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/song\?s=[\w-]{11}&p=\w+&shuffle$/),
    ])
    const radioResponse = await site.app.inject({ url: '/go/radio', headers: { host: 'localhost' } })
    expect(radioResponse.headers.location).toBe('http://fm.localhost:8080/')
    const homeResponse = await site.app.inject('/go/home')
    expect([homeResponse.statusCode, homeResponse.headers.location, homeResponse.headers['cache-control']]).toEqual([302, '/', 'no-store'])
  })
})

describe('shell document', () => {
  it('the header of the shell lists the paths of the host, and the shell has no canonical address', async () => {
    const mainShell = await openPage('/shell')
    const whatIsPath = mainShell.site.settings.WHAT_IS_PATH
    expect(mainShell).toMatchObject({ status: 200, canonical: undefined, jsonLd: [] })
    expect(mainShell.headers['x-shell-paths']?.toString().split(',')).toEqual(
      expect.arrayContaining(['/', '/song', '/playlist', whatIsPath, ...fixedPaths]),
    )
    expect(mainShell.headers['cache-control']).toBe('no-cache, no-transform')
    expect(mainShell.body).not.toContain(mainShell.site.settings.HERO_TITLE.concat('</h1>'))
    const slowedReverbShell = await openPage('/shell', 'slowedreverb.localhost:8080')
    expect(slowedReverbShell.site.brand).toBe('slowed-reverb-meridian')
    expect((await openPage('/shell', 'fm.localhost:8080')).headers['x-shell-paths']).toBe('*')
    expect((await openPage('/shell', 'aria.localhost:8080')).headers['x-shell-paths']).toBe('/')
  })
})
