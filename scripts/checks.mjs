import { printText } from './output.mjs'
import { oneFailed, onePassed, runCheck } from './steps.mjs'

/** @typedef {import('./steps.mjs').Step} Step */

/** The checks of `npm run check`, which `npm test` runs, too. @type {[types: Step, lint: Step, ...others: Step[]]} */
export const checks = [
  // One checker at a time takes less than half of the processor time and a fifth of the memory, because each checker checks the shared files.
  { name: 'Types', run: () => runCheck('node_modules/typescript/bin/tsc', '-b', '--builders', '1', '--checkers', '1') },
  { name: 'Lint', run: () => runCheck('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.') },
  {
    name: 'Boundaries',
    async run() {
      const { root } = await import('./node-version.mjs')
      const { checkBoundaries } = await import('./boundaries.mjs')
      const { files: fileCount, violations } = await checkBoundaries(root)
      for (const { rule, comment, from, to } of violations) printText(`${rule}: ${from} imports ${to} (${comment})\n`)
      printText(`${fileCount} files, ${violations.length} violations\n`)
      return violations.length === 0 ? onePassed : oneFailed
    },
  },
  {
    name: 'Dead code',
    /** Finds unused exports, files and packages; then files and packages of the product that only tests use. */
    async run() {
      const knipArguments = ['node_modules/knip/bin/knip.js', '--config', 'scripts/knip.json', '--no-progress']
      const fullResult = await runCheck(...knipArguments)
      const productResult = await runCheck(...knipArguments, '--production', '--include', 'files,dependencies,unlisted')
      return fullResult === onePassed ? productResult : fullResult
    },
  },
  { name: 'House rules', run: () => runCheck('scripts/house-rules.mjs') },
  { name: 'Page table', run: () => runCheck('--import', 'tsx', 'scripts/page-table.ts') },
  { name: 'Quoted names', run: () => runCheck('scripts/quoted-names.mjs') },
  { name: 'Owned resources', run: () => runCheck('scripts/owned-resources.mjs') },
  { name: 'Regular expressions', run: () => runCheck('scripts/regexes.mjs') },
  { name: 'Licences', run: () => runCheck('scripts/licences.mjs', '--check') },
]
