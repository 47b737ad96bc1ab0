# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` copies: the program, its manual pages and completions, the documentation, and the examples.
# After the preset dev, or any other build of the target countersign, nothing else must be built for it.
include(GNUInstallDirs)

install(TARGETS countersign RUNTIME)

if(NOT CMAKE_CROSSCOMPILING)
    set(generated ${PROJECT_BINARY_DIR}/generated)  # app/CMakeLists.txt
    install(DIRECTORY ${generated}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(FILES ${generated}/countersign DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${generated}/_countersign DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${generated}/countersign.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# The documents keep their places relative to each other, so that their links work, except for those to tests/.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES audit/FORMAT.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/audit)
install(FILES deploy/policy-starter.toml DESTINATION ${CMAKE_INSTALL_DOCDIR}/deploy)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
install(DIRECTORY deploy/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        FILES_MATCHING PATTERN "*.toml" PATTERN "*.yaml" PATTERN "*.service")
# Outside ${CMAKE_INSTALL_LIBDIR}, which may be lib/x86_64-linux-gnu: systemd looks in lib only.
install(DIRECTORY deploy/ DESTINATION lib/systemd/user FILES_MATCHING PATTERN "*.service")
