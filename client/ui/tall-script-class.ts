import styles from './type.module.css'

/** Matches a letter that is not Latin, which is taller than the lines of the display type allow. */
const TALL_LETTER = /[^\P{L}\p{Script=Latin}]/u

/** The class of a heading whose lines need more room because of its script. */
export const tallScriptClassName = (text: string): string | undefined => (TALL_LETTER.test(text) ? styles.tall : undefined)
