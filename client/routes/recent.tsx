import { createFileRoute } from '@tanstack/react-router'
import type { Song } from '../../contract/song.ts'
import { SongList } from '../components/song-list.tsx'
import { RecentPage } from '../features/recent/recent-page.tsx'
import { pageHead } from '../hooks/page-title.ts'

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
