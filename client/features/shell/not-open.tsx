import { classNames } from '../../ui/class-names.ts'
import { Key } from '../../ui/key.tsx'
import { Platter } from '../../ui/platter.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './not-found.module.css'

/** A page that the installed app's shortcuts name and this site has not opened: what it will be, and where the music is. */
export function NotOpen({ title, text }: { title: string; text: string }) {
  return (
    <div className={styles.page}>
      <Platter seed={title} className={styles.platter} />
      <div className={classNames(typeStyles.wrap, styles.words)}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{title}</h1>
        <p className={typeStyles.lead}>{text}</p>
        <div className={styles.keys}>
          <Key to="/playlists" variant="lit">
            Browse playlists
          </Key>
          <Key to="/">Go back home</Key>
        </div>
      </div>
    </div>
  )
}
