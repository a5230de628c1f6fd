import { check, none, one } from './steps.mjs'

/** What `npm run check` runs, and `npm test` before any test. @type {import('./steps.mjs').Step[]} */
export const checks = [
  { name: 'Types', run: () => check('node_modules/typescript/bin/tsc', '-b') },
  { name: 'Lint', run: () => check('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.') },
  {
    name: 'Boundaries',
    async run() {
      const { root } = await import('./node-version.mjs')
      const { checkBoundaries } = await import('./boundaries.mjs')
      const { files, violations } = await checkBoundaries(root)
      for (const { rule, comment, from, to } of violations) process.stdout.write(`${rule}: ${from} imports ${to} (${comment})\n`)
      process.stdout.write(`${files} files, ${violations.length} violations\n`)
      return violations.length === 0 ? one : none
    },
  },
  { name: 'House rules', run: () => check('scripts/house-rules.mjs') },
  { name: 'Licences', run: () => check('scripts/licences.mjs', '--check') },
]
