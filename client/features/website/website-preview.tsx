import { useCallback } from 'react'
import type { Song } from '../../../contract/song.ts'
import type { SubscriberInfo, Website } from '../../../contract/website.ts'
import { linkIds, socialFields, toWebAddress } from '../../../contract/website-rules.ts'
import { createWatchUrl, parseVideoId } from '../../../contract/youtube.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { Banner } from '../../ui/banner.tsx'
import publicStyles from './public-page.module.css'
import { SubscriberSiteContent } from './site-content.tsx'
import type { WebsiteDraft } from './website-draft.ts'
import styles from './website-page.module.css'

interface WebsitePreviewProps {
  draft: WebsiteDraft
  website: Website
  /** The version of the pictures that are saved on the server. */
  pictureVersion: number
}

const doNothing = () => undefined

/**
 * Shows the website as visitors would see it on a phone, with the values in the form. The pictures are those that are saved on the server.
 */
export function WebsitePreview({ draft, website, pictureVersion }: WebsitePreviewProps) {
  const { api } = useServices()
  const { domain_name } = website
  // A replaced picture has a new address, which is requested from the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the pictures repeats the request.
  const loadPreview = useCallback(
    (signal: AbortSignal) => api.call('GET /subscriber/getinfo', { domain_name }, { signal }),
    [api, domain_name, pictureVersion],
  )
  // Requests the website as visitors see it. If the website is hidden, the server does not return it, and the preview has no playlists.
  const savedInfo = useRemoteData(loadPreview).data
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: beside the form it is scrolled, and nothing in it can have the focus.
    <section className={styles.preview} aria-label="Preview" tabIndex={0}>
      <div className={styles.phone} inert>
        <SubscriberSiteContent
          info={createPreviewInfo(draft, website, savedInfo)}
          banner={<Banner domainName={domain_name} version={pictureVersion} className={publicStyles.banner} />}
          radio={null}
          countClick={doNothing}
          isPreview
        />
      </div>
    </section>
  )
}

function createPreviewInfo(
  { texts, links, songs, accent }: WebsiteDraft,
  website: Website,
  savedInfo: SubscriberInfo | undefined,
): SubscriberInfo {
  const savedVideos = savedInfo?.videos ?? []
  const chosenSongs = songs.flatMap(({ title, url }): Song[] => {
    const videoId = parseVideoId(toWebAddress(url))
    const knownVideo = savedVideos.find((video) => video.youtube_id === videoId)
    if (videoId === undefined) return []
    const unknownVideo: Song = {
      ...{ youtube_id: videoId, youtube_url: createWatchUrl(videoId), title: texts.name, author_name: texts.name },
      ...{ category_id: '', category_name: '', date_added: '', new: 'false' },
    }
    return [{ ...(knownVideo ?? unknownVideo), ...(title !== '' && { title }) }]
  })
  // If no songs are chosen, the website shows the songs of the channel. The preview knows them only if the saved website shows them.
  const ownSongs = chosenSongs.length > 0 || website.songs.length > 0 ? chosenSongs : savedVideos.slice(0, savedInfo?.own_count)
  const otherVideos = savedVideos.filter(({ youtube_id }) => !ownSongs.some((song) => song.youtube_id === youtube_id))
  return {
    videos: [...ownSongs, ...otherVideos].slice(0, 8),
    own_count: ownSongs.length,
    playlists: savedInfo?.playlists ?? [],
    profile_pic: savedInfo?.profile_pic ?? `/img/supporter/${website.domain_name}`,
    donator: savedInfo?.donator ?? false,
    data: {
      ...texts,
      ...Object.fromEntries(socialFields.map((field) => [field, toWebAddress(texts[field], field)])),
      enabled: 'yes',
      accent,
      links: links.flatMap(({ title, url }, index) => {
        const id = linkIds[index]
        return id === undefined || title === '' || url === '' ? [] : [{ id, title, url: toWebAddress(url) }]
      }),
    },
  }
}
