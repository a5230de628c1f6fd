import type { Brand } from '../../brands/brand.ts'
import { AUDIO_EXTENSIONS } from '../../contract/audio-files.ts'
import { createStationPath, formatRadioTitle, RADIO_AUTOPLAY_PATH } from '../../contract/radio-page.ts'
import type { Settings, SiteHostKind } from '../../contract/site.ts'
import type { ShortcutName } from '../pictures/brand-mark.ts'
import { describeRadio } from './descriptions.ts'

/** Screenshots for the browser's install dialog, created by `npm run store-pictures`. */
export const SCREENSHOTS = [
  { file: 'narrow-home.webp', size: '540x960', form: 'narrow', label: 'Home' },
  { file: 'narrow-playlists.webp', size: '540x960', form: 'narrow', label: 'Playlists' },
  { file: 'wide-home.webp', size: '1280x800', form: 'wide', label: 'Home on a wide screen' },
] as const

const manifestIcons = [
  { src: '/icons/192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icons/512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: '/icons/maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
]

/** Audio file types that the installed app opens, by MIME type. */
const audioFileTypes = { 'audio/*': AUDIO_EXTENSIONS }

type ShortcutRow = readonly [name: string, description: string, url: string, icon: ShortcutName]

const mainShortcuts: readonly ShortcutRow[] = [
  ['Random Song', 'Play any song', '/go/random', 'random'],
  ['Favorites', 'Your favorite songs', '/go/favorites', 'favorites'],
  ['Radio', 'One stream, the same second for everyone', '/go/radio', 'radio'],
  ['Maker', 'Change the speed and pitch of a song', '/account/maker', 'maker'],
]

const radioShortcuts: readonly ShortcutRow[] = [
  ['Play the radio', 'What is on air now', RADIO_AUTOPLAY_PATH, 'play'],
  ['Main station', 'The music of this site', createStationPath('main'), 'radio'],
  ['Newcomers', 'Songs by new artists', createStationPath('newcomers'), 'newcomers'],
]

const toShortcut = ([shortcutName, description, url, icon]: ShortcutRow) => ({
  name: shortcutName,
  description,
  url,
  icons: [{ src: `/icons/shortcut-${icon}.png`, sizes: '96x96', type: 'image/png' }],
})

/**
 * Creates the web app manifest of a host (https://www.w3.org/TR/appmanifest). Radio hosts are separate apps. Returns `undefined` for
 * subscriber hosts, which cannot be installed.
 */
export function createManifest(brand: Brand, hostClass: SiteHostKind, settings: Settings): object | undefined {
  if (hostClass === 'subscriber') return undefined
  const isRadioHost = hostClass === 'radio'
  const { NAME } = settings
  return {
    id: '/',
    name: isRadioHost ? formatRadioTitle(settings) : NAME,
    short_name: isRadioHost ? `${brand.short_name} Radio` : brand.short_name,
    description: isRadioHost ? describeRadio(settings) : settings.META_DESCRIPTION,
    lang: 'en',
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    display_override: ['standalone', 'minimal-ui'],
    orientation: 'any',
    theme_color: brand.tokens['surface-0'],
    background_color: brand.tokens['surface-0'],
    categories: ['music', 'entertainment'],
    icons: manifestIcons,
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    shortcuts: (isRadioHost ? radioShortcuts : mainShortcuts).map(toShortcut),
    ...(!isRadioHost && {
      screenshots: SCREENSHOTS.map(({ file, size, form: formFactor, label }) => ({
        src: `/screenshots/${brand.id}/${file}`,
        sizes: size,
        type: 'image/webp',
        form_factor: formFactor,
        label: `${label} of ${NAME}`,
      })),
      share_target: {
        action: '/account/maker',
        method: 'POST',
        enctype: 'multipart/form-data',
        params: { title: 'title', files: [{ name: 'file', accept: ['audio/*', ...audioFileTypes['audio/*']] }] },
      },
      file_handlers: [{ action: '/account/maker', accept: audioFileTypes, launch_type: 'single-client' }],
    }),
  }
}
