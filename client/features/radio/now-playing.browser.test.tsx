import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { createTestSong } from '../../data/testing/rows.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { createIdleRadio, createInitialRadioState } from '../../player/radio/idle-radio.ts'
import { NowPlaying } from './now-playing.tsx'
import { RadioContext } from './use-radio.ts'

let root: Root
afterEach(() => root.unmount())

it('radio: the song on air can be added to the favorites and to a playlist on its page of the main site', async () => {
  const { youtube_id, youtube_url, title, author_name } = createTestSong(1)
  const airing = { youtube_id, title, author_name, start_time: '2026-01-01T00:00:00.000Z', duration: 200 }
  const state = {
    ...createInitialRadioState(undefined),
    onAir: { ...airing, youtube_url, category_id: undefined, category_name: undefined, next: airing, history: [] },
  }
  root = createRoot(document.body.appendChild(document.createElement('div')))
  root.render(
    <ServicesProvider services={createTestServices({ site: { main_url: 'https://www.example.com', settings: { NAME: 'Site' } } })}>
      <RadioContext value={{ radio: createIdleRadio(state), initialState: state }}>
        <NowPlaying />
      </RadioContext>
    </ServicesProvider>,
  )
  for (const name of ['Favorite', 'Add to playlist'])
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', `https://www.example.com/song?s=${youtube_id}`)
})
