import type { Brand } from '../../brands/brand.ts'
import type { Song } from '../../contract/song.ts'
import { computeCspHash } from '../http/security.ts'
import { escapeHtml } from '../text/escape-html.ts'

/** A song or a list of songs, as an embedded player shows it. */
export interface EmbeddedList {
  title: string
  /** The artist of a song, or the number of songs of a list. If there are no songs, this text is shown instead of the cover. */
  subtitle: string
  /** The path of the page of the song or list. */
  path: string
  songs: readonly Pick<Song, 'youtube_id' | 'title' | 'author_name'>[]
}

/**
 * The program of an embedded player. It requests nothing of YouTube before a click, which puts YouTube's own player over the cover. That player plays the
 * song of the clicked button, then those of the following buttons, then those before it. It does not tell this page which song it plays, so no button is
 * marked, and the frame has the title of the list.
 */
const INLINE_SCRIPT = `{
const stage = document.querySelector('main>div')
const ids = [...new Set(Array.from(document.querySelectorAll('[value]'), (button) => button.value))]
document.addEventListener('click', (event) => {
  const button = event.target.closest('[value]')
  if (!button) return
  const at = ids.indexOf(button.value)
  const others = [...ids.slice(at + 1), ...ids.slice(0, at)].join()
  const frame = document.createElement('iframe')
  frame.title = document.querySelector('h1').textContent
  frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
  frame.src = 'https://www.youtube-nocookie.com/embed/' + button.value + '?autoplay=1&playsinline=1&rel=0' + (others && '&playlist=' + others)
  stage.replaceChildren(frame)
  frame.focus()
})
}`

const INLINE_STYLE = `*{box-sizing:border-box;margin:0}
body{display:grid;grid-template-rows:auto minmax(0,1fr) auto;height:100vh;background:var(--surface-0);color:var(--text);font:15px/1.35 system-ui,sans-serif;color-scheme:dark}
a{color:inherit}
header,footer{display:flex;gap:.75em;align-items:baseline;justify-content:space-between;padding:.6em .9em;min-width:0}
header>*,li button{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
h1{font-size:1.05rem;flex:1;min-width:0}
p,footer,small{color:var(--muted);font-size:.85rem}
main{display:grid;grid-template-rows:minmax(0,1fr) minmax(0,auto);min-height:0}
main>div{position:relative;min-height:0;background:#000}
main>div>*{position:absolute;inset:0;width:100%;height:100%;border:0}
div img{object-fit:cover}
div p{display:grid;place-content:center;padding:1em;text-align:center}
div button{background:none;cursor:pointer}
div button span{display:inline-block;padding:.7em 1.6em;border-radius:99px;background:var(--accent);color:var(--accent-ink);font:600 1rem system-ui,sans-serif}
ol{overflow:auto;max-height:38vh;padding:0;list-style:none;border-top:1px solid var(--line)}
li button{display:block;width:100%;padding:.55em .9em;border:0;background:none;color:inherit;font:inherit;text-align:start;cursor:pointer}
li button:hover{background:var(--surface-2)}
:focus-visible{outline:2px solid var(--accent-2);outline-offset:-2px}`

/** The sources of the Content Security Policy that allow the inline script and the inline styles of a brand's embedded players. */
export const createEmbedCspSources = (brandStyle: string) => ({
  script: computeCspHash(INLINE_SCRIPT),
  style: `${computeCspHash(INLINE_STYLE)} ${computeCspHash(brandStyle)}`,
})

export interface EmbedDocument {
  list: EmbeddedList
  /** The name of the site, and the origin of its pages. */
  siteName: string
  origin: string
  brand: Brand
  /** The style sheet of the brand's design tokens. */
  brandStyle: string
}

const renderPlayButton = ({ youtube_id }: EmbeddedList['songs'][number], buttonContent: string) =>
  `<button type="button" value="${escapeHtml(youtube_id)}" dir="auto">${buttonContent}</button>`

/** The title is in no `bdi`, because it determines the direction of its button. */
const renderSongName = ({ title, author_name }: EmbeddedList['songs'][number]) =>
  `${escapeHtml(title)} <small><bdi>${escapeHtml(author_name)}</bdi></small>`

/** Renders the document of an embedded player. */
export function renderEmbed({ list, siteName, origin, brand, brandStyle }: EmbedDocument): string {
  const { title, subtitle, path, songs } = list
  const [firstSong] = songs
  const createPageLink = (text: string) => `<a href="${escapeHtml(origin + path)}" target="_blank" rel="noopener">${escapeHtml(text)}</a>`
  const subtitleHtml = `<p dir="auto">${escapeHtml(subtitle)}</p>`
  const coverHtml =
    firstSong === undefined
      ? subtitleHtml
      : `<img src="/img/song/${escapeHtml(firstSong.youtube_id)}/640" alt="">${renderPlayButton(firstSong, `<span>Play</span>`)}`
  const songItems = songs.map((song) => `<li>${renderPlayButton(song, renderSongName(song))}</li>`)
  return [
    `<!doctype html><html lang="en" data-brand="${escapeHtml(brand.id)}"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
    `<title>${escapeHtml(title)} · ${escapeHtml(siteName)}</title><link rel="canonical" href="${escapeHtml(origin + path)}">`,
    `<style>${brandStyle}</style><style>${INLINE_STYLE}</style></head><body>`,
    `<header><h1 dir="auto">${createPageLink(title)}</h1>${firstSong === undefined ? '' : subtitleHtml}</header>`,
    `<main><div>${coverHtml}</div>${songs.length > 1 ? `<ol aria-label="Songs">${songItems.join('')}</ol>` : ''}</main>`,
    `<footer>${createPageLink(`Open on ${siteName}`)}</footer>`,
    `<script>${INLINE_SCRIPT}</script></body></html>`,
  ].join('')
}
