import type { Member } from '../../../contract/community.ts'
import styles from './member-mosaic.module.css'

/** Enough tiles to fill the mosaic on a wide screen. */
const TILES = 56
const COLUMNS = 8
/** The steps between the members of neighbouring tiles and of rows, so that few members form no columns. */
const STEP = 5
const ROW_STEP = 3

/** The pictures of the members as a wall, for decoration. */
export function MemberMosaic({ members }: { members: readonly Member[] }) {
  const pictures = members.slice(0, TILES).map((member) => member.channel_pic)
  return (
    <div className={styles.mosaic} aria-hidden="true">
      {Array.from({ length: TILES }, (_, tile) => {
        const index = (tile * STEP + Math.floor(tile / COLUMNS) * ROW_STEP) % pictures.length
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures repeat, and tiles keep their places.
        return <img key={tile} className={styles.tile} src={`${pictures[index]}/160`} alt="" decoding="async" />
      })}
    </div>
  )
}
