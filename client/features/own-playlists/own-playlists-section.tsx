import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { PlaylistCard } from '../../components/playlist-card.tsx'
import { createOwnPlaylistContextId, type OwnPlaylistCard, useOwnPlaylistCards } from '../../hooks/own-playlists.ts'
import { createPlaylistPath, useNavigateTo } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { CoverMosaic } from './cover-mosaic.tsx'
import { OwnPlaylistTools, PlaylistMosaic } from './lazy-playlist-parts.tsx'
import styles from './own-playlists.module.css'
import { PlaylistsLoadingNotice } from './playlists-loading-notice.tsx'

const NewPlaylistDialog = lazyDialog('New playlist', () => import('./playlist-form-dialog.tsx').then((module) => module.NewPlaylistDialog))
const ImportDialog = lazyDialog('Import playlists', () => import('./import-dialog.tsx').then((module) => module.ImportDialog))

const MergePlaylistsDialog = lazyDialog('Merge playlists', () =>
  import('./merge-playlists-dialog.tsx').then((module) => module.MergePlaylistsDialog),
)
const DeletedPlaylistsDialog = lazyDialog('Deleted playlists', () =>
  import('./deleted-playlists-dialog.tsx').then((module) => module.DeletedPlaylistsDialog),
)

/** If there are at most this many cards, all of them are shown. */
const ALL_CARDS_MAX = 48
/** The number of cards shown at first if there are more. With few cards a playlist's page opens sooner, because React first removes them. */
const FIRST_CARD_COUNT = 24

interface OwnPlaylistsSectionProps {
  /** The id of the element around the section, if links lead to the section. */
  anchorId?: string
}

/** The playlists of the person, with the buttons that create, import, merge and restore playlists. */
export function OwnPlaylistsSection({ anchorId }: OwnPlaylistsSectionProps) {
  const headingId = useId()
  const cards = useOwnPlaylistCards(FIRST_CARD_COUNT)
  const navigateTo = useNavigateTo()
  const [openDialog, setOpenDialog] = useState<'new' | 'import' | 'merge' | 'deleted'>()
  const closeDialog = () => setOpenDialog(undefined)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    // Loads the code of a playlist's page in advance, so that the page opens without a delay. If this fails, the page loads the code itself.
    Promise.all([OwnPlaylistTools.preload(), PlaylistMosaic.preload()]).catch(() => {})
  }, [])
  // Scrolls to the section that the page's URL names. The browser scrolls before the playlists above and those of the section are rendered.
  const areCardsLoaded = cards !== undefined
  useLayoutEffect(() => {
    if (areCardsLoaded && location.hash === `#${anchorId}`) section.current?.scrollIntoView()
  }, [areCardsLoaded, anchorId])
  return (
    <section ref={section} className={styles.section} aria-labelledby={headingId}>
      <SectionHeading
        id={headingId}
        size="small"
        endContent={
          <span className={classNames(styles.buttons, styles.tools)}>
            <Button icon="plus" onClick={() => setOpenDialog('new')}>
              New playlist
            </Button>
            <Button icon="file" onClick={() => setOpenDialog('import')}>
              Import
            </Button>
            <Menu
              label="More: Your playlists"
              icon="more"
              items={[
                {
                  id: 'merge',
                  label: 'Merge playlists',
                  icon: 'plus',
                  disabled: (cards?.length ?? 0) < 2,
                  onSelect: () => setOpenDialog('merge'),
                },
                { id: 'deleted', label: 'Deleted playlists', icon: 'trash', onSelect: () => setOpenDialog('deleted') },
              ]}
            />
          </span>
        }
      >
        Your playlists
      </SectionHeading>
      <PlaylistsLoadingNotice />
      {cards?.length === 0 && (
        <p className={typeStyles.muted}>
          Make one here, or add a song to one from the menu of the song. They work without a connection, too.
        </p>
      )}
      {cards && cards.length > 0 && <OwnPlaylistCards cards={cards} />}
      <NewPlaylistDialog
        open={openDialog === 'new'}
        onClose={closeDialog}
        onCreated={(id) => navigateTo(createPlaylistPath(createOwnPlaylistContextId(id)))}
      />
      <ImportDialog open={openDialog === 'import'} onClose={closeDialog} />
      <MergePlaylistsDialog open={openDialog === 'merge'} onClose={closeDialog} />
      <DeletedPlaylistsDialog open={openDialog === 'deleted'} onClose={closeDialog} />
    </section>
  )
}

function OwnPlaylistCards({ cards }: { cards: readonly OwnPlaylistCard[] }) {
  const [isAllWanted, setAllWanted] = useState(false)
  const areAllCardsShown = isAllWanted || cards.length <= ALL_CARDS_MAX
  const listElement = useRef<HTMLUListElement>(null)
  const showAllCards = () => {
    flushSync(() => setAllWanted(true))
    listElement.current?.children.item(FIRST_CARD_COUNT)?.querySelector('a')?.focus()
  }
  return (
    <>
      <ul ref={listElement} className={styles.grid} aria-label="Your playlists">
        {(areAllCardsShown ? cards : cards.slice(0, FIRST_CARD_COUNT)).map(({ playlist, songIds, isPartial }) => (
          <li key={playlist.id}>
            <PlaylistCard playlist={playlist} headingLevel={3} isPartial={isPartial}>
              <CoverMosaic songIds={songIds} width="(max-width: 600px) 25vw, 160px" />
            </PlaylistCard>
          </li>
        ))}
      </ul>
      {!areAllCardsShown && (
        <Button className={styles.showAll ?? ''} onClick={showAllCards}>
          Show all {cards.length} playlists
        </Button>
      )}
    </>
  )
}
