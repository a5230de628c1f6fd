import { expect, it } from 'vitest'
import { brands } from '../../brands/registry.ts'
import { renderEmbed } from './document.ts'

const [brand] = brands
const song = { youtube_id: 'AAAAAAAAAA1', title: 'שיר ארוך (live)', author_name: 'Élan' }

const render = (title: string, subtitle: string) => {
  if (!brand) throw new Error('no brand')
  const list = { title, subtitle, path: '/song?s=AAAAAAAAAA1', songs: [song, { ...song, youtube_id: 'BBBBBBBBBB1' }] }
  return renderEmbed({ list, siteName: 'Site', origin: 'https://example.org', brand, brandStyle: '' })
}

it('embed: a right-to-left title begins at the right edge of its row and is cut at its end, and the name of the artist follows it', () => {
  const html = render('שירים', 'אמן')
  expect(html).toMatch(/<h1 dir="auto"><a [^>]*>שירים<\/a><\/h1><p dir="auto">אמן<\/p>/)
  // The title itself is in no `bdi`: the algorithm of `dir="auto"` ignores the text of `bdi` elements.
  expect(html).toMatch(
    /<li><button type="button" value="BBBBBBBBBB1" dir="auto">שיר ארוך \(live\) <small><bdi>Élan<\/bdi><\/small><\/button><\/li>/,
  )
  expect(html).not.toContain('text-align:left')
})

it("embed: no song is marked as the current one, and the video has the list's title, because YouTube's player goes on to the next songs by itself", () => {
  const html = render('Night Drive', '2 songs')
  expect(html).not.toContain('aria-current')
  expect(html).toContain("frame.title = document.querySelector('h1').textContent")
})
