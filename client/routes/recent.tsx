import { createFileRoute } from '@tanstack/react-router'
import type { Song } from '../../contract/song.ts'
import { pageHead } from '../bindings/page-title.ts'
import { SongList } from '../features/catalogue/song-list.tsx'
import { RecentPage } from '../features/recent/recent-page.tsx'

export const Route = createFileRoute('/recent')({
  head: pageHead,
  component: Recent,
})

const renderList = (songs: readonly Song[], getContextId: (song: Song) => string) => (
  <SongList songs={songs} getContextId={getContextId} numbered={false} label="Recently played" />
)

function Recent() {
  return <RecentPage renderList={renderList} />
}
