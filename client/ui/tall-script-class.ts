import styles from './type.module.css'

/** Matches a letter of a non-Latin script. Such a letter can be taller than the line height of headings allows. */
const TALL_LETTER = /[^\P{L}\p{Script=Latin}]/u

/** The class of a heading that needs taller lines, because it contains a non-Latin letter. */
export const chooseTallScriptClass = (text: string): string | undefined => (TALL_LETTER.test(text) ? styles.tall : undefined)
