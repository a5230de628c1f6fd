// Loads React. A dynamic import of the package itself would add code that converts its exports, which nobody reads.
import 'react-dom/client'
