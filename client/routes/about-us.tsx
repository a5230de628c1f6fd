import { createFileRoute } from '@tanstack/react-router'
import { documentRoute } from '../bindings/document-route.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { AboutPage } from '../features/documents/about-page.tsx'

export const Route = createFileRoute('/about-us')({
  ...documentRoute('timeline'),
  component: () => <AboutPage renderProblem={renderLoadProblem} />,
})
